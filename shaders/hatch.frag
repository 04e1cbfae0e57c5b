precision highp float;
in float along;
flat in vec2 stroke;
flat in vec4 colour;
layout(location = 0) out vec4 result;

void main() {
  float distance = abs(along - stroke.x * floor(along / stroke.x + 0.5)) * 0.70711;
  result = colour * clamp(stroke.y * 0.5 + 0.5 - distance, 0.0, 1.0);
}
