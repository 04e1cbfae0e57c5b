// Its name in older samples.
#pragma once
#include "helper_math.h"
