%% Print the accessors of uri_string, one question and one answer a line.
%% https://www.erlang.org/docs/25/man/uri_string.html

-module(direct).

-export([main/1]).

main(_Arguments) ->
    ok = io:setopts([binary, {encoding, unicode}]),
    answer_lines().

answer_lines() ->
    case io:get_line("") of
        eof ->
            ok;
        Line ->
            Question = jiffy:decode(Line, [return_maps]),
            io:put_chars([jiffy:encode(answer(Question)), "\n"]),
            answer_lines()
    end.

answer(Question) ->
    try shown(Question) of
        {error, Atom, Term} ->
            #{refused => text(Atom, Term)};
        Map when is_map(Map) ->
            #{accessors => maps:map(fun(_Key, Part) -> part(Part) end, maps:merge(no_parts(), Map))};
        Url ->
            #{url => Url}
    catch
        Class:Reason ->
            #{failed => text(Class, Reason)}
    end.

shown(#{<<"op">> := <<"parse">>, <<"url">> := Url}) ->
    uri_string:parse(Url);
shown(#{<<"op">> := <<"resolve">>, <<"base">> := Base, <<"reference">> := Reference}) ->
    uri_string:resolve(Reference, Base);
shown(#{<<"op">> := <<"normalize">>, <<"url">> := Url}) ->
    uri_string:normalize(Url).

%% The map has no key for a part that is absent.
no_parts() ->
    maps:from_keys([scheme, userinfo, host, port, path, query, fragment], null).

%% An empty port is the atom undefined.
part(undefined) -> <<"undefined">>;
part(Part) -> Part.

text(Kind, Term) ->
    unicode:characters_to_binary(io_lib:format("~tp: ~tp", [Kind, Term])).
