#include "app/links/query.hpp"

#include <algorithm>
#include <charconv>

#include "app/draw/letters.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

constexpr std::string_view kept_in_queries = "-._~,:/=";

std::string decoded(std::string_view text) {
  std::string all;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '%') {
      all += text[k] == '+' ? ' ' : text[k];
      continue;
    }
    const std::string_view digits = text.substr(k + 1, 2);
    unsigned char byte = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2)
      throw UsageError(message("the link is damaged at %{}: two digits from 0 to F belong behind a %",
                               clean_utf8(std::string(digits))));
    all += static_cast<char>(byte);
    k += 2;
  }
  for (const char c : all)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      throw UsageError(message("the link is damaged: it holds a character that no keyboard types"));
  if (clean_utf8(all) != all) throw UsageError(message("the link is damaged: it is no text in UTF-8"));
  return all;
}

}  // namespace

std::string percent_encoded(std::string_view text, std::string_view kept) {
  std::string all;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || kept.find(c) != std::string_view::npos)
      all += c;
    else
      all += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return all;
}

std::string query_of(const Pairs& pairs) {
  std::string all;
  for (const auto& [key, value] : pairs) {
    if (!all.empty()) all += '&';
    all += percent_encoded(key, kept_in_queries) + '=' + percent_encoded(value, kept_in_queries);
  }
  return all;
}

std::string_view query_in(std::string_view link) {
  constexpr std::string_view space = " \t\r\n";
  link.remove_prefix(std::min(link.find_first_not_of(space), link.size()));
  link = link.substr(0, link.find_last_not_of(space) + 1);
  const size_t mark = link.find('?');
  const size_t begin = mark == std::string_view::npos ? link.find('#') : mark;
  if (begin != std::string_view::npos) link.remove_prefix(begin + 1);
  return mark == std::string_view::npos ? link : link.substr(0, link.find('#'));
}

std::string encoded_anew(std::string_view link) {
  const std::string_view query = query_in(link);
  std::string all(link.substr(0, size_t(query.data() - link.data())));
  for (size_t at = 0; at <= query.size();) {
    const size_t end = std::min(query.find('&', at), query.size());
    const std::string_view pair = query.substr(at, end - at);
    const size_t sign = pair.find('=');
    if (at > 0) all += sign == std::string_view::npos && !pair.empty() ? "%26" : "&";
    all += percent_encoded(pair.substr(0, sign), kept_in_queries);
    if (sign != std::string_view::npos) all += '=' + percent_encoded(pair.substr(sign + 1), kept_in_queries);
    at = end + 1;
  }
  return all;
}

Pairs pairs_in(std::string_view link) {
  const std::string_view query = query_in(link);
  if (query.size() > longest_link)
    throw UsageError(message("the link is too long: it has {} characters, and {} are the most", query.size(),
                             longest_link));
  Pairs all;
  for (size_t at = 0; at < query.size();) {
    const size_t end = std::min(query.find('&', at), query.size());
    const std::string_view pair = query.substr(at, end - at);
    at = end + 1;
    if (pair.empty()) continue;
    const size_t sign = pair.find('=');
    all.emplace_back(decoded(pair.substr(0, sign)),
                     sign == std::string_view::npos ? std::string() : decoded(pair.substr(sign + 1)));
  }
  return all;
}

}  // namespace bscope
