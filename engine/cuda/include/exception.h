// The exception helper of NVIDIA's samples.
#pragma once
#include <stdlib.h>

#include <exception>
#include <iostream>
#include <stdexcept>
