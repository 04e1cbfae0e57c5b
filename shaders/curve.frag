precision highp float;
in vec2 along;
flat in vec2 stroke;
flat in vec4 colour;
layout(location = 0) out vec4 result;

void main() { result = colour * clamp(stroke.x - abs(along.y), 0.0, 1.0); }
