// A cubic Bezier curve as a band of triangles.
layout(location = 0) in vec4 at;
layout(location = 1) in vec4 more;
layout(location = 3) in vec4 edge;
layout(location = 4) in vec2 shape;  // -, thickness
uniform vec3 origin;                 // of the window, and pixels a unit
uniform vec2 size;                   // of the window in pixels
uniform float pieces;
out vec2 along;        // the curve, and across it
flat out vec2 stroke;  // half its thickness and a half, -
flat out vec4 colour;

void main() {
  float t = float(gl_VertexID >> 1) / pieces, s = 1.0 - t;
  vec2 a = at.xy, b = at.zw, c = more.xy, d = more.zw;
  vec2 p = (s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d - origin.xy) * origin.z;
  vec2 direction = s * s * (b - a) + 2.0 * s * t * (c - b) + t * t * (d - c);
  // where the ends' handles have no length
  if (dot(direction, direction) < 1e-6) direction = d - a;
  direction /= max(length(direction), 1e-6);
  stroke = vec2(shape.y * 0.5 * origin.z + 0.5, 0);
  along = vec2(0, (stroke.x + 0.5) * float((gl_VertexID & 1) * 2 - 1));
  colour = vec4(edge.rgb * edge.a, edge.a);
  p += vec2(-direction.y, direction.x) * along.y;
  gl_Position = vec4(p / size * vec2(2, -2) + vec2(-1, 1), 0, 1);
}
