precision highp float;
uniform sampler2D colours;
in vec2 along;
flat in float strength;
layout(location = 0) out vec4 result;

void main() {
  ivec2 cells = textureSize(colours, 0);
  vec4 colour = texelFetch(colours, clamp(ivec2(along * vec2(cells)), ivec2(0), cells - 1), 0);
  result = vec4(colour.rgb * colour.a, colour.a) * strength;
}
