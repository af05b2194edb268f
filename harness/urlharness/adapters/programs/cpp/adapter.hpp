// What adapter.cpp knows of a library.

#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// A text that the library refuses, with its message.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A question that the library cannot take, with the cause.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Components by name; nullopt is absent.
using Parts = std::map<std::string, std::optional<std::string>, std::less<>>;

// What a library offers; nullptr for a function that it lacks. The functions throw Refusal.
struct Library {
    const char *homepage;
    std::vector<std::string> specs; // the RFCs that its documentation claims
    bool takes_bytes;               // false if its texts are Unicode
    bool tells_empty;               // it tells empty components from absent ones
    std::string (*version)();
    Parts (*parse)(const std::string &url);
    std::string (*resolve)(const std::string &base, const std::string &reference);
    std::string (*normalize)(const std::string &url);
    std::string (*recompose)(const Parts &components);
};

// Return a port as a number, and `absent` for the empty one.
inline int port_number(const std::string &port, int absent, int greatest) {
    if (port.empty())
        return absent;
    if (port.size() > 9 || std::stoi(port) > greatest)
        throw Unsupported("the port is too big for the library");
    return std::stoi(port);
}

// The libraries; one that the Makefile has not found has no address.
extern const Library boost_url_library __attribute__((weak));
extern const Library qt_library __attribute__((weak));
extern const Library qt_strict_library __attribute__((weak));
extern const Library poco_library __attribute__((weak));
