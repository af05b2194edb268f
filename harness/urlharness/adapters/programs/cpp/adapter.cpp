// urlconform adapter for C++ libraries: `adapter LIBRARY RFCS`.
//
// RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
// Every answer comes from the library: the adapter only translates names, and does not correct any answer.

#include "adapter.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <unistd.h>

using nlohmann::json;

namespace {

struct Entry {
    const char *name, *package;
    const Library *library;
};

const Entry LIBRARIES[] = {
    {"boost-url", "libboost-url*-dev", &boost_url_library},
    {"qt", "qt6-base-dev", &qt_library},
    {"qt-strict", "qt6-base-dev", &qt_strict_library},
    {"poco", "libpoco-dev", &poco_library},
};

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char one) { return std::tolower(one); });
    return text;
}

json unsupported(const char *message) { return {{"status", "unsupported"}, {"message", message}}; }

// ---- texts that may be bytes

std::string bytes_of(const json &value) {
    if (value.is_string())
        return value.get<std::string>();
    const auto hex = value.at("hex").get<std::string>();
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
}

// Return a text of a library: a string, or {"hex": ...} if it is not UTF-8.
json shown(const std::string &text) {
    const json value = text;
    try {
        (void)value.dump(); // this throws if the text is not UTF-8
        return value;
    } catch (const json::type_error &) {
        static constexpr char DIGITS[] = "0123456789abcdef";
        std::string hex;
        for (const unsigned char one : text)
            (hex += DIGITS[one >> 4]) += DIGITS[one & 15];
        return {{"hex", hex}};
    }
}

bool has_bytes(const json &question) {
    return std::ranges::any_of(question, [](const json &value) {
        return value.is_object() && (value.contains("hex") || has_bytes(value));
    });
}

// ---- answers

// Answers the questions of the protocol with one library.
class Adapter {
  public:
    Adapter(std::string name, const Library &library, json rfcs)
        : name_(std::move(name)), library_(library), rfcs_(std::move(rfcs)) {}

    json hello() const {
        std::vector<std::string> operations = {"validate", "parse"}, features = {"validate-by-parse"};
        if (library_.resolve)
            operations.push_back("resolve");
        if (library_.normalize)
            operations.push_back("normalize");
        if (library_.recompose)
            operations.push_back("recompose");
        if (library_.tells_empty)
            features.push_back("absent-vs-empty");
        return {
            {"type", "hello"},
            {"protocol", 1},
            {"implementation",
             {{"name", name_},
              {"version", library_.version()},
              {"language", "c++"},
              {"runtime", "gcc " __VERSION__},
              {"homepage", library_.homepage}}},
            {"ops", operations},
            {"specs", library_.specs},
            {"features", features},
            {"modes", library_.modes},
            {"window", 64},
        };
    }

    // Return the reply to a question, without its id.
    json answer(const json &question) const {
        const auto operation = question.at("op").get<std::string>();
        if (!library_.takes_bytes && has_bytes(question))
            return unsupported("the library takes text, not bytes");
        try {
            if (operation == "validate")
                return validate(question);
            if (operation == "parse")
                return parse(question);
            if (operation == "resolve" && library_.resolve)
                return url_reply(
                    library_.resolve(bytes_of(question.at("base")), bytes_of(question.at("reference"))));
            if (operation == "normalize" && library_.normalize)
                return normalize(question);
            if (operation == "recompose" && library_.recompose)
                return recompose(question);
            return unsupported("the library has no such operation");
        } catch (const Refusal &refusal) {
            return {{"status", "reject"}, {"message", shown(refusal.what())}};
        } catch (const Unsupported &error) {
            return unsupported(error.what());
        } catch (const std::exception &error) {
            return {{"status", "error"}, {"message", error.what()}};
        }
    }

  private:
    static json url_reply(const std::string &url) { return {{"status", "ok"}, {"url", shown(url)}}; }

    // Accept a text if the library accepts it, and if it has the form that the rule requires.
    json validate(const json &question) const {
        const auto rule = rule_of(question);
        if (rule.is_null())
            return unsupported("the library knows whole URLs only");
        const auto text = bytes_of(question.at("url"));
        const auto scheme = library_.parse(text).at("scheme").value_or("");
        if (rule.at("form") == "absolute" && scheme.empty())
            throw Refusal("it has no scheme");
        if (rule.at("form") == "relative" && !scheme.empty())
            throw Refusal("it has a scheme");
        if (!rule.at("fragment").get<bool>() && text.find('#') != std::string::npos)
            throw Refusal("it has a fragment");
        if (rule.contains("scheme") && lower(scheme) != rule.at("scheme"))
            throw Refusal("the scheme is " + scheme);
        return {{"status", "ok"}};
    }

    // Return the components under the names of the RFC.
    json parse(const json &question) const {
        if (rule_of(question).is_null())
            return unsupported("the library knows whole URLs only");
        auto parts = library_.parse(bytes_of(question.at("url")));
        const auto &path = parts.at("path");
        parts["url-path"] = path && path->starts_with('/') ? std::optional(path->substr(1)) : std::nullopt;
        const auto &schemes = rfcs_.at("components").at(question.at("spec").get<std::string>());
        const auto scheme = lower(parts.at("scheme").value_or(""));
        json components = json::object();
        for (const auto &[own, part] : schemes.at(schemes.contains(scheme) ? scheme : "").items())
            if (const auto found = parts.find(part.get<std::string>()); found != parts.end())
                components[own] = found->second ? shown(*found->second) : json(nullptr);
        return {{"status", "ok"}, {"components", components}};
    }

    // Return the normal form, if the library has one of this mode.
    json normalize(const json &question) const {
        const auto mode = question.value("mode", "syntax");
        if (std::ranges::find(library_.modes, mode) == library_.modes.end())
            return unsupported("the library has no such normal form");
        return url_reply(library_.normalize(bytes_of(question.at("url"))));
    }

    // Return the text of components that have the names of RFC 3986.
    json recompose(const json &question) const {
        if (question.at("spec") == "rfc1738" || question.at("spec") == "rfc1808")
            return unsupported("the library has the components of RFC 3986");
        Parts components;
        for (const char *name : {"scheme", "userinfo", "host", "port", "path", "query", "fragment"}) {
            const auto value = question.at("components").value(name, json(nullptr));
            components[name] = value.is_null() ? std::nullopt : std::optional(bytes_of(value));
        }
        return url_reply(library_.recompose(components));
    }

    // Return the form that the rule of a question requires, or null for a part of a URL.
    json rule_of(const json &question) const {
        const auto spec = question.at("spec").get<std::string>();
        const auto rule = question.value("rule", rfcs_.at("default").at(spec).get<std::string>());
        return rfcs_.at("rules").at(spec).value(rule, json(nullptr));
    }

    std::string name_;
    const Library &library_;
    json rfcs_;
};

// ---- process

const char *library_name = "";

// Write the name of the library that crashed, and let the signal end the process.
void name_the_library(int signal) {
    static constexpr char MESSAGE[] = ": the library ended the process\n";
    if (write(STDERR_FILENO, library_name, std::strlen(library_name)) >= 0 &&
        write(STDERR_FILENO, MESSAGE, sizeof MESSAGE - 1) >= 0)
        raise(signal);
}

void name_crashes_of(const char *name) {
    library_name = name;
    struct sigaction action = {};
    action.sa_handler = name_the_library;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int one : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
        sigaction(one, &action, nullptr);
}

const Library &library_of(const std::string &name) {
    const auto found = std::ranges::find(LIBRARIES, name, &Entry::name);
    if (found == std::end(LIBRARIES))
        throw std::runtime_error(name + " is not a library of this adapter");
    if (found->library == nullptr)
        throw std::runtime_error(name + " is not compiled in: install " + found->package +
                                 " and build again");
    return *found->library;
}

// Answer the messages on stdin, one JSON object per line.
void serve(const Adapter &adapter) {
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        const auto message = json::parse(line);
        const auto type = message.value("type", "");
        if (type == "hello") {
            std::cout << adapter.hello() << std::endl;
        } else if (type == "run") {
            auto reply = adapter.answer(message);
            reply["id"] = message.at("id");
            std::cout << reply << std::endl;
        } else if (type == "bye") {
            return;
        }
    }
}

} // namespace

int main(int count, char **arguments) {
    if (count != 3) {
        std::cerr << "usage: adapter LIBRARY RFCS\n";
        return 1;
    }
    try {
        const auto &library = library_of(arguments[1]);
        std::ifstream file(arguments[2]);
        const Adapter adapter(arguments[1], library, json::parse(file));
        name_crashes_of(arguments[1]);
        serve(adapter);
    } catch (const std::exception &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
