// Strokes of 45 degrees through a box.
layout(location = 0) in vec4 at;
layout(location = 3) in vec4 edge;
layout(location = 4) in vec2 shape;  // from stroke to stroke along a side, thickness
uniform vec3 origin;                 // of the window, and pixels a unit
uniform vec2 size;                   // of the window in pixels
out float along;                     // from stroke to stroke
flat out vec2 stroke;
flat out vec4 colour;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 p = (at.xy + at.zw * corner - origin.xy) * origin.z;
  stroke = shape * origin.z;
  along = dot(at.zw * corner * origin.z, vec2(1)) - stroke.x * 0.5;
  colour = vec4(edge.rgb * edge.a, edge.a);
  gl_Position = vec4(p / size * vec2(2, -2) + vec2(-1, 1), 0, 1);
}
