// Comparing results as NVIDIA's samples do; their pictures are not read.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif

template <class T, class S>
inline bool compareData(const T* reference, const T* data, unsigned length, S epsilon, float threshold) {
  unsigned wrong = 0;
  for (unsigned k = 0; k < length; ++k)
    if (!(fabs((double)reference[k] - (double)data[k]) <= (double)epsilon)) ++wrong;
  return threshold == 0 ? wrong == 0 : wrong <= length * threshold;
}
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned length, float epsilon) {
  double error = 0, size = 0;
  for (unsigned k = 0; k < length; ++k) {
    error += ((double)reference[k] - data[k]) * ((double)reference[k] - data[k]);
    size += (double)reference[k] * reference[k];
  }
  return size > 1e-14 && sqrt(error) / sqrt(size) < epsilon;
}

template <class T>
inline bool sdkWriteFile(const char* name, const T* data, unsigned length, double, bool = false,
                         bool append = false) {
  std::ofstream out(name, append ? std::ios::app : std::ios::trunc);
  for (unsigned k = 0; k < length; ++k) out << data[k] << ' ';
  return bool(out);
}
/// All values of a text file, in memory of malloc's where none is given.
template <class T>
inline bool sdkReadFile(const char* name, T** data, unsigned* length, bool) {
  std::ifstream in(name);
  if (!in) return false;
  std::vector<T> values;
  for (T value; in >> value;) values.push_back(value);
  if (!*data) {
    *data = (T*)malloc(values.size() * sizeof(T));
    *length = (unsigned)values.size();
  }
  std::copy_n(values.begin(), std::min<size_t>(values.size(), *length), *data);
  return true;
}
