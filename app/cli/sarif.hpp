// Findings for other programs: SARIF 2.1.0, and annotations of GitHub's workflows.
#pragma once

#include <string>
#include <vector>

#include "app/run/finding_groups.hpp"

namespace bscope {

/// A log of one run in OASIS' Static Analysis Results Interchange Format, version 2.1.0: each group is a
/// result, its notes are related locations, its help is part of the message.
std::string sarif_text(const std::vector<FindingGroup>&);
/// One workflow command a group: "::error file=homework.cu,line=15,col=7,title=race on s::thread 2 reads
/// ...". GitHub shows it at the line.
std::string annotation_text(const std::vector<FindingGroup>&);

}  // namespace bscope
