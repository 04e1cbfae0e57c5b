// A texture's texels as cells of a box.
layout(location = 0) in vec4 at;
layout(location = 2) in vec4 fill;
uniform vec3 origin;  // of the window, and pixels a unit
uniform vec2 size;    // of the window in pixels
out vec2 along;
flat out float strength;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 p = (at.xy + at.zw * corner - origin.xy) * origin.z;
  along = corner;
  strength = fill.a;
  gl_Position = vec4(p / size * vec2(2, -2) + vec2(-1, 1), 0, 1);
}
