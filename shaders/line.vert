// A straight line, solid or in dashes.
layout(location = 0) in vec4 at;
layout(location = 3) in vec4 edge;
layout(location = 4) in vec2 shape;  // length of a dash, thickness
uniform vec3 origin;                 // of the window, and pixels a unit
uniform vec2 size;                   // of the window in pixels
out vec2 along;                      // the line, and across it
flat out vec2 stroke;                // half its thickness and a half, length of a dash
flat out vec4 colour;

void main() {
  vec2 from = (at.xy - origin.xy) * origin.z, to = (at.zw - origin.xy) * origin.z;
  float length_of = max(length(to - from), 1e-6);
  vec2 direction = (to - from) / length_of;
  stroke = vec2(shape.y * 0.5 * origin.z + 0.5, shape.x * origin.z);
  along = vec2(length_of * float(gl_VertexID & 1), (stroke.x + 0.5) * float((gl_VertexID & 2) - 1));
  colour = vec4(edge.rgb * edge.a, edge.a);
  vec2 p = from + direction * along.x + vec2(-direction.y, direction.x) * along.y;
  gl_Position = vec4(p / size * vec2(2, -2) + vec2(-1, 1), 0, 1);
}
