#include "app/words/glossary.hpp"

#include <algorithm>
#include <cctype>

#include "app/words/words.hpp"

namespace bscope {
namespace {

constexpr Term terms[] = {
    {tr_noop("thread"),
     tr_noop("One worker of a kernel: it runs the kernel's source from top to bottom, with its own number.")},
    {tr_noop("lane"), tr_noop("A thread's place in its warp, 0 to 31.")},
    {tr_noop("warp"),
     tr_noop("32 threads that the hardware runs together, one instruction for all of them at a time.")},
    {tr_noop("block"),
     tr_noop("Threads that run on one processor of the GPU, share its shared memory and can "
             "wait for each other at a barrier.")},
    {tr_noop("grid"), tr_noop("All blocks of one launch.")},
    {tr_noop("launch"),
     tr_noop(
         "One start of a kernel on a grid of blocks; the next launch sees everything that this one wrote.")},
    {tr_noop("kernel"), tr_noop("A function that many threads of a GPU run at once.")},
    {tr_noop("barrier"),
     tr_noop("Where every thread of a block waits until all have come: __syncthreads(). What "
             "was written before it can be read after it.")},
    {tr_noop("interval"),
     tr_noop("What happens between two barriers. Nobody may rely on an order within it.")},
    {tr_noop("step"), tr_noop("One interval of one block: everything up to the next barrier.")},
    {tr_noop("phase"),
     tr_noop("A chapter of an algorithm, such as load, up-sweep or down-sweep: several steps.")},
    {tr_noop("register"), tr_noop("A thread's own memory; no other thread can see it.")},
    {tr_noop("shared memory"), tr_noop("Fast memory of one block, read and written by all of its threads.")},
    {tr_noop("global memory"),
     tr_noop(
         "The GPU's large memory, read and written by all blocks; slow, so it is read in whole sectors.")},
    {tr_noop("bank"),
     tr_noop("One of 32 columns of shared memory, each 4 bytes wide; a bank serves one word at a time.")},
    {tr_noop("bank conflict"),
     tr_noop("Lanes of one request want different words of one bank: they are served one after another.")},
    {tr_noop("wavefront"),
     tr_noop("One pass of a request through the banks. Without conflicts a request of 4 "
             "bytes a lane needs one.")},
    {tr_noop("padding"),
     tr_noop("Unused cells put between the used ones, so that cells that are read together "
             "lie in different banks.")},
    {tr_noop("request"), tr_noop("One memory instruction of one warp: up to 32 lanes' addresses at once.")},
    {tr_noop("sector"), tr_noop("32 bytes of global memory in a row, the smallest piece that is fetched.")},
    {tr_noop("coalescing"),
     tr_noop("Neighbouring lanes use neighbouring addresses, so that a request needs as "
             "few sectors as possible.")},
    {tr_noop("divergence"),
     tr_noop(
         "Lanes of one warp take different paths; the warp runs each path in turn while the others wait.")},
    {tr_noop("shuffle"), tr_noop("Lanes of one warp read each other's registers, without shared memory.")},
    {tr_noop("atomic"),
     tr_noop("A read and a write that no other thread can come between; those to one address queue up.")},
    {tr_noop("contention"),
     tr_noop("How many atomics want the same address at once: the longer the queue, the longer the wait.")},
    {tr_noop("queue"), tr_noop("Atomics that want one address at once and are served one after another.")},
    {tr_noop("privatisation"),
     tr_noop("Each block, warp or thread counts in a copy of its own; the copies are added at the end.")},
    {tr_noop("coarsening"),
     tr_noop("Each thread does the work of several, so that fewer of them meet at barriers and queues.")},
    {tr_noop("work"), tr_noop("All operations of a run together. An algorithm is work-efficient if it needs "
                              "about as many as a serial one.")},
    {tr_noop("span"),
     tr_noop("The longest chain of operations that must wait for each other: no machine can be faster.")},
    {tr_noop("threads at work"),
     tr_noop(
         "Threads that read, write or add in a step. Compare adds up those of all steps, and says how many "
         "it would be if every thread worked in every step.")},
    {tr_noop("reduction"), tr_noop("Many values become one: their sum, their maximum.")},
    {tr_noop("scan"), tr_noop("Every element becomes the sum of all before it; also called a prefix sum.")},
    {tr_noop("inclusive"), tr_noop("A scan whose element i includes input i itself.")},
    {tr_noop("exclusive"),
     tr_noop("A scan whose element i holds the sum of the inputs before i; the first is the identity.")},
    {tr_noop("identity"), tr_noop("The value that changes nothing: 0 for a sum, 1 for a product.")},
    {tr_noop("up-sweep"),
     tr_noop("The first half of a tree scan: pairs are added, then pairs of pairs, up to the total.")},
    {tr_noop("down-sweep"),
     tr_noop("The second half of a tree scan: each node hands the sum before it down to its children.")},
    {tr_noop("look-back"),
     tr_noop("A block adds up what the blocks before it have published so far, instead of "
             "waiting for another launch.")},
    {tr_noop("histogram"), tr_noop("How often each value, or each range of values, occurs.")},
    {tr_noop("bin"), tr_noop("One counter of a histogram.")},
    {tr_noop("race"),
     tr_noop("Two threads use one cell, one of them writes, and no barrier says who comes first.")},
    {tr_noop("not judged"),
     tr_noop(
         "Barrierscope has not seen enough of the run to say whether it is right: one of its limits ended "
         "the run or a launch, or kept a kernel from being shown.")},
    {tr_noop("lost update"),
     tr_noop("Two threads read the same count and both write it plus one: one of the two is gone.")},
    {tr_noop("occupancy"),
     tr_noop("How many warps a processor of the GPU holds at once, of those that it could.")},
    {tr_noop("roofline"),
     tr_noop("The most that a kernel can reach: the lower of memory's speed and arithmetic's.")},
    {tr_noop("GB/s"),
     tr_noop("The bytes that an algorithm must move, each read once and written once, by the time it "
             "takes; 10^9 a second.")},
    {tr_noop("median"), tr_noop("The middle one of many runs: half of them took longer.")},
    {tr_noop("noise"), tr_noop("How far the median may be off: the smaller, the surer.")},
    {tr_noop("skew"),
     tr_noop("How much of the input is one favourite value: 0 is even, 1 is that value alone.")},
    {tr_noop("seed"),
     tr_noop("The number that random input and random order are drawn from; the same seed gives the same.")},
};

/// Terms that stand in every second sentence: one that names another term is about that one.
constexpr std::string_view everyday[] = {"thread", "block"};
/// Too plain to be explained in passing.
constexpr std::string_view plain[] = {"kernel", "launch", "step", "work"};
bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether the sentence itself says what the word means: "A lane is ...", "A barrier (...) lets ...".
bool defines(std::string_view sentence, std::string_view word) {
  for (const std::string_view article : {"A ", "An ", "\u4e00\u4e2a", ""}) {
    if (!sentence.starts_with(article) || !sentence.substr(article.size()).starts_with(word)) continue;
    const std::string_view rest = sentence.substr(article.size() + word.size());
    for (const std::string_view then : {" is ", " (", " that ", "\u662f", "\uff08"})
      if (rest.starts_with(then)) return true;
  }
  return false;
}

size_t lower_find(std::string_view text, std::string_view word, size_t from) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  const auto at = std::search(text.begin() + long(std::min(from, text.size())), text.end(), word.begin(),
                              word.end(), same);
  return at == text.end() ? std::string_view::npos : size_t(at - text.begin());
}

}  // namespace

std::span<const Term> glossary() { return terms; }

std::string meaning(std::string_view word) {
  const auto found =
      std::find_if(std::begin(terms), std::end(terms), [&](const Term& t) { return word == t.word; });
  return found == std::end(terms) ? "" : tr(found->meaning);
}

std::string definition(std::string_view word) {
  const std::string means = meaning(word);
  if (means.empty()) return {};
  return capitalised(tr(word)) + ": " + means;
}

const Term* term_in(std::string_view sentence) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  /// Where the word stands in the sentence: as a whole word, or as several of them, where words have ends.
  const auto place = [&](std::string_view word) {
    const bool latin = static_cast<unsigned char>(word[0]) < 0x80;
    // one Chinese character is part of too many words
    if (!latin && word.size() < 6)
      return sentence.starts_with(std::string(word) + " ") ? 0 : std::string_view::npos;
    for (size_t at = 0; (at = lower_find(sentence, word, at)) != std::string_view::npos; ++at) {
      if (!latin) return at;
      size_t end = at + word.size();
      if (end < sentence.size() && sentence[end] == 's') ++end;
      if ((at == 0 || !letter(sentence[at - 1])) && (end == sentence.size() || !letter(sentence[end])))
        return at;
    }
    return std::string_view::npos;
  };
  const Term* best = nullptr;
  size_t best_at = 0, best_size = 0;
  bool best_common = false;
  for (const Term& term : terms) {
    const std::string word = tr(term.word);
    const size_t at = place(word);
    if (at == std::string_view::npos) continue;
    if (sentence.find(tr(term.meaning)) != std::string_view::npos || defines(sentence, word)) return nullptr;
    if (is_one_of(plain, term.word)) continue;
    const bool common = is_one_of(everyday, term.word);
    // a longer term begins where a shorter one does: bank conflict, bank
    const bool better =
        !best ||
        (common != best_common ? best_common : at < best_at || (at == best_at && word.size() > best_size));
    if (!better) continue;
    best = &term;
    best_at = at;
    best_size = word.size();
    best_common = common;
  }
  return best;
}

}  // namespace bscope
