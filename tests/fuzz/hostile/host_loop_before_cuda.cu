int main() {
  for (volatile unsigned i = 1; i; i |= 1) {
  }
}
