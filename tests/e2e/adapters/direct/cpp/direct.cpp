// Answer one question a line. The other file of the program calls the library.

#include "direct.hpp"

#include <exception>
#include <iostream>

static Answer answer(const std::string &library, const Answer &question) {
    const std::string operation = question["op"];
    try {
        if (operation == "parse")
            return {{"accessors", parse(library, question["url"])}};
        if (operation == "resolve")
            return {{"url", resolve(library, question["base"], question["reference"])}};
        return {{"url", normalize(library, question["url"])}};
    } catch (const Refusal &refusal) {
        return {{"refused", refusal.message}};
    } catch (const std::exception &failure) {
        return {{"failed", failure.what()}};
    }
}

int main(int, char **arguments) {
    const std::string library = arguments[1];
    for (std::string line; std::getline(std::cin, line);)
        // decoded texts may not be UTF-8
        std::cout
            << answer(library, Answer::parse(line)).dump(-1, ' ', false, Answer::error_handler_t::replace)
            << std::endl;
}
