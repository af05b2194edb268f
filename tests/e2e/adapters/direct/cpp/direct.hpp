// The functions of each library. An answer is what README.md describes.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

using Answer = nlohmann::json;

// Thrown if the library refuses a text as its documentation says.
struct Refusal {
    std::string message;
};

// Return the accessors of a text.
Answer parse(const std::string &library, const std::string &url);

// Return the resolved and the normalized URL.
std::string resolve(const std::string &library, const std::string &base, const std::string &reference);
std::string normalize(const std::string &library, const std::string &url);
