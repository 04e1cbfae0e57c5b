precision highp float;
in vec2 from_centre;
flat in vec2 straight;
flat in vec2 bounds;
flat in vec4 inside;
flat in vec4 outside;
layout(location = 0) out vec4 result;

void main() {
  vec2 q = abs(from_centre) - straight;
  float distance = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0);
  vec2 covered = clamp(bounds - distance, 0.0, 1.0);
  result = mix(outside, inside, covered.y) * covered.x;
}
