// What adapter.cpp knows of a library.

#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// The library refuses a text, with this message.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The library cannot answer a question, for this reason.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Components by name. A component is nullopt if it is absent.
using Parts = std::map<std::string, std::optional<std::string>, std::less<>>;

// The functions of a library. A function is nullptr if the library lacks it. The functions throw Refusal.
struct Library {
    const char *homepage;
    std::vector<std::string> specs; // the RFCs that the documentation of the library claims
    std::vector<std::string> modes; // the modes of `normalize`, as in the catalogue
    bool takes_bytes;               // false if the library only accepts Unicode texts
    bool tells_empty;               // true if the library distinguishes empty and absent components
    std::string (*version)();
    Parts (*parse)(const std::string &url);
    std::string (*resolve)(const std::string &base, const std::string &reference);
    std::string (*normalize)(const std::string &url);
    std::string (*recompose)(const Parts &components);
};

// Return a port as a number. Return `absent` for an empty port.
inline int port_number(const std::string &port, int absent, int greatest) {
    if (port.empty())
        return absent;
    if (port.size() > 9 || std::stoi(port) > greatest)
        throw Unsupported("the port is too big for the library");
    return std::stoi(port);
}

// The libraries. If the Makefile has not found a library, its address is null.
extern const Library boost_url_library __attribute__((weak));
extern const Library qt_library __attribute__((weak));
extern const Library qt_strict_library __attribute__((weak));
extern const Library poco_library __attribute__((weak));
