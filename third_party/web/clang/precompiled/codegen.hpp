#pragma once
#include <clang/CodeGen/CGFunctionInfo.h>
#include <clang/lib/CodeGen/CGCXXABI.h>
#include <clang/lib/CodeGen/CodeGenFunction.h>
#include <clang/lib/CodeGen/CodeGenModule.h>
#include <clang/lib/CodeGen/TargetInfo.h>

#include "ast.hpp"
#include "ir.hpp"
