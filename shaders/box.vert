// A box with round corners and an edge inside of it; or a part of it. A disc is as round as can be.
layout(location = 0) in vec4 at;
layout(location = 1) in vec4 part;
layout(location = 2) in vec4 fill;
layout(location = 3) in vec4 edge;
layout(location = 4) in vec2 shape;  // radius, thickness of the edge
uniform vec3 origin;                 // of the window, and pixels a unit
uniform vec2 size;                   // of the window in pixels
out vec2 from_centre;
flat out vec2 straight;  // of the sides, from the middle to where the corners begin
flat out vec2 bounds;    // of the distance: the box's edge and where the fill begins
flat out vec4 inside;
flat out vec4 outside;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  // whole pixels: beyond them nothing is covered
  vec2 low = floor((part.xy - origin.xy) * origin.z), high = ceil((part.xy + part.zw - origin.xy) * origin.z);
  vec2 p = mix(low, high, corner);
  float radius = shape.x * origin.z;
  from_centre = p - (at.xy + at.zw * 0.5 - origin.xy) * origin.z;
  straight = at.zw * 0.5 * origin.z - radius;
  bounds = vec2(radius + 0.5, edge.a > 0.0 ? radius + 0.5 - shape.y * origin.z : 1e6);
  inside = vec4(fill.rgb * fill.a, fill.a);
  outside = vec4(edge.rgb * edge.a, edge.a);
  gl_Position = vec4(p / size * vec2(2, -2) + vec2(-1, 1), 0, 1);
}
