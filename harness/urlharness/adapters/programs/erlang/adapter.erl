%% urlconform adapter for Erlang libraries: escript adapter.beam LIBRARY RFCS.
%%
%% RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
%% Every answer comes from the library: the adapter only translates names, and does not correct any answer.
-module(adapter).

-export([main/1]).

-define(PARTS, [scheme, userinfo, host, port, path, query, fragment]).

main(["uri_string", Path]) ->
    {ok, Data} = file:read_file(Path),
    ok = io:setopts([binary, {encoding, latin1}]), % bytes, which jiffy decodes as UTF-8
    serve(jiffy:decode(Data, [return_maps]));
main(_) ->
    io:format(standard_error, "usage: adapter uri_string RFCS~n", []),
    halt(2).

serve(Rfcs) ->
    case io:get_line("") of
        eof -> ok;
        Line -> serve(Rfcs, string:trim(Line, leading))
    end.

serve(Rfcs, <<>>) ->
    serve(Rfcs);
serve(Rfcs, Line) ->
    case jiffy:decode(Line, [return_maps]) of
        #{<<"type">> := <<"hello">>} ->
            write(hello()),
            serve(Rfcs);
        #{<<"type">> := <<"run">>, <<"id">> := Id} = Question ->
            write((reply(Question, Rfcs))#{id => Id}),
            serve(Rfcs);
        #{<<"type">> := <<"bye">>} ->
            ok
    end.

write(Message) ->
    ok = file:write(standard_io, [jiffy:encode(Message), $\n]).

hello() ->
    {ok, Version} = application:get_key(stdlib, vsn),
    #{
        type => hello,
        protocol => 1,
        implementation => #{
            name => uri_string,
            version => list_to_binary(Version),
            language => erlang,
            runtime => list_to_binary(["Erlang/OTP ", erlang:system_info(otp_release)]),
            homepage => <<"https://www.erlang.org/doc/apps/stdlib/uri_string.html">>
        },
        ops => [validate, parse, resolve, normalize, recompose],
        specs => [rfc3986],
        features => ['validate-by-parse', 'absent-vs-empty'],
        modes => [syntax, scheme],
        window => 64
    }.

%% The reply to a question, without its id.
reply(#{<<"op">> := Op} = Question, Rfcs) ->
    try
        has_bytes(Question) andalso throw({unsupported, <<"the library takes Unicode text only">>}),
        (answer(Op, Question, Rfcs))#{status => ok}
    catch
        throw:{Status, Message} -> #{status => Status, message => Message};
        error:Reason -> #{status => error, message => text("~0tp", [Reason])}
    end.

has_bytes(Question) ->
    Texts = maps:with([<<"url">>, <<"base">>, <<"reference">>], Question),
    Components = maps:get(<<"components">>, Question, #{}),
    lists:any(fun is_map/1, maps:values(Texts) ++ maps:values(Components)).

answer(<<"validate">>, Question, Rfcs) ->
    validate(Question, Rfcs);
answer(<<"parse">>, Question, Rfcs) ->
    parse(Question, Rfcs);
answer(<<"resolve">>, #{<<"base">> := Base, <<"reference">> := Reference}, _) ->
    #{url => checked(uri_string:resolve(Reference, Base))};
answer(<<"normalize">>, #{<<"url">> := Text}, _) ->
    #{url => checked(uri_string:normalize(Text))};
answer(<<"recompose">>, #{<<"spec">> := Spec}, _) when Spec =:= <<"rfc1738">>; Spec =:= <<"rfc1808">> ->
    throw({unsupported, <<"the library has the components of RFC 3986">>});
answer(<<"recompose">>, #{<<"components">> := Components}, _) ->
    #{url => checked(uri_string:recompose(given(Components)))};
answer(_, _, _) ->
    throw({unsupported, <<"the library has no such operation">>}).

%% Accept a text if the library accepts it, and if it has the form that the rule requires.
validate(#{<<"url">> := Text} = Question, Rfcs) ->
    #{<<"form">> := Form, <<"fragment">> := Fragment} = Rule = rule(Question, Rfcs),
    #{<<"scheme">> := Scheme} = parts(Text),
    Required = maps:get(<<"scheme">>, Rule, lower(Scheme)),
    Found = binary:match(Text, <<"#">>),
    if
        Form =:= <<"absolute">>, Scheme =:= null -> throw({reject, <<"it has no scheme">>});
        Form =:= <<"relative">>, Scheme =/= null -> throw({reject, <<"it has a scheme">>});
        not Fragment, Found =/= nomatch -> throw({reject, <<"it has a fragment">>});
        true -> Required =:= lower(Scheme) orelse throw({reject, text("the scheme is ~ts", [Scheme])})
    end,
    #{}.

%% The components under the names of the RFC.
parse(#{<<"spec">> := Spec, <<"url">> := Text} = Question, #{<<"components">> := All} = Rfcs) ->
    rule(Question, Rfcs),
    #{<<"scheme">> := Scheme, <<"path">> := Path} = Found = parts(Text),
    Parts = Found#{<<"url-path">> => url_path(Path)},
    #{Spec := #{<<>> := Default} = Own} = All,
    Names = maps:get(lower(Scheme), Own, Default),
    Shown = fun(Name, Part, Components) ->
        case Parts of
            #{Part := Value} -> Components#{Name => Value};
            #{} -> Components
        end
    end,
    #{components => maps:fold(Shown, #{}, Names)}.

url_path(<<"/", Path/binary>>) -> Path;
url_path(_) -> null.

%% The form that the rule of a question requires, if it is a rule for whole URLs.
rule(#{<<"spec">> := Spec} = Question, #{<<"default">> := Default, <<"rules">> := All}) ->
    Name = maps:get(<<"rule">>, Question, maps:get(Spec, Default)),
    case All of
        #{Spec := #{Name := Rule}} -> Rule;
        #{} -> throw({unsupported, <<"the library knows whole URLs only">>})
    end.

lower(null) -> null;
lower(Text) -> string:lowercase(Text).

text(Format, Arguments) ->
    unicode:characters_to_binary(io_lib:format(Format, Arguments)).

%% ---- uri_string

checked({error, Kind, Term}) -> throw({reject, text("~ts: ~0tp", [Kind, Term])});
checked(Result) -> Result.

%% The components as the library shows them. It leaves out absent components, which become null.
parts(Text) ->
    Found = checked(uri_string:parse(Text)),
    maps:from_list([{atom_to_binary(Name), shown(Name, maps:get(Name, Found, null))} || Name <- ?PARTS]).

shown(host, Host) when is_binary(Host) -> in_brackets(Host, binary:match(Host, <<":">>));
shown(port, undefined) -> <<>>;
shown(port, Port) when is_integer(Port) -> integer_to_binary(Port);
shown(_, Part) -> Part.

%% The host, with the brackets of an IP literal. The library omits the brackets.
in_brackets(Host, nomatch) -> Host;
in_brackets(Host, _) -> <<"[", Host/binary, "]">>.

%% Components in the form that the library expects.
given(Components) ->
    All = [{Name, maps:get(atom_to_binary(Name), Components, null)} || Name <- ?PARTS],
    maps:from_list([{Name, taken(Name, Part)} || {Name, Part} <- All, Part =/= null]).

taken(host, <<"[", _/binary>> = Host) -> binary:part(Host, 1, byte_size(Host) - 2);
taken(port, <<>>) -> undefined;
taken(port, Port) -> binary_to_integer(Port);
taken(_, Part) -> Part.
