#pragma once
int sum_on_gpu(const int* values, int n);
int sum_on_host(const int* values, int n);
