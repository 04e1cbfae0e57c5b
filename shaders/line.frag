precision highp float;
in vec2 along;
flat in vec2 stroke;
flat in vec4 colour;
layout(location = 0) out vec4 result;

void main() {
  float covered = clamp(stroke.x - abs(along.y), 0.0, 1.0);
  float dash = stroke.y;
  if (dash > 0.0) {
    float at = mod(along.x, 2.0 * dash);
    covered *= clamp(min(at, dash - at) + 0.5, 0.0, 1.0);
  }
  result = colour * covered;
}
