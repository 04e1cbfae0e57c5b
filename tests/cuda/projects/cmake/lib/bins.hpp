#pragma once
void count(const int* keys, int* bins, int n);
