#pragma once
#include "cusolver_common.h"
