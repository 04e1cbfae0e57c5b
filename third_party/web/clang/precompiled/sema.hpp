#pragma once
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Sema/DeclSpec.h>
#include <clang/Sema/DelayedDiagnostic.h>
#include <clang/Sema/Initialization.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Overload.h>
#include <clang/Sema/ParsedTemplate.h>
#include <clang/Sema/Scope.h>
#include <clang/Sema/ScopeInfo.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaInternal.h>
#include <clang/Sema/Template.h>
#include <clang/Sema/TemplateDeduction.h>

#include "ast.hpp"
