#include "/dev/zero"
#include "/proc/self/mem"
int main() {}
