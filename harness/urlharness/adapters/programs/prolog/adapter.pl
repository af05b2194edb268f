/*  urlconform adapter for SWI-Prolog libraries: swipl adapter.pl LIBRARY RFCS

    RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
    Every answer comes from the library: the adapter only translates names, and does not correct any answer.
*/

:- module(adapter, []).

:- use_module(library(apply)).
:- use_module(library(error)).
:- use_module(library(http/json)).
:- use_module(library(lists)).
:- use_module(library(main)).
:- use_module(library(pairs)).
:- use_module(library(readutil)).
:- use_module(library(uri)).

:- initialization(main, main).

main([Name, Path]) :-
    must_be(oneof(['swi-uri']), Name),
    setup_call_cleanup(
        open(Path, read, File, [encoding(utf8)]),
        json_read_dict(File, Rfcs),
        close(File)),
    set_stream(user_input, encoding(utf8)),
    set_stream(user_output, encoding(utf8)),
    serve(Name, Rfcs).

serve(Name, Rfcs) :-
    repeat,
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  !
    ;   split_string(Line, "", " \t\r", [""])
    ->  fail
    ;   atom_json_dict(Line, Read, []),
        joined(Read, Message),
        served(Message.type, Message, Name, Rfcs)
    ->  !
    ).

%   Joins the surrogates of a message, which library(http/json) may read as two characters.
joined(Text, Joined) :-
    string(Text),
    !,
    string_codes(Text, Codes),
    joined_codes(Codes, JoinedCodes),
    string_codes(Joined, JoinedCodes).
joined(Message, Joined) :-
    is_dict(Message),
    !,
    dict_pairs(Message, Tag, Pairs),
    pairs_keys_values(Pairs, Keys, Values),
    maplist(joined, Values, JoinedValues),
    pairs_keys_values(JoinedPairs, Keys, JoinedValues),
    dict_pairs(Joined, Tag, JoinedPairs).
joined(Value, Value).

joined_codes([], []).
joined_codes([High, Low|Codes], [Code|Joined]) :-
    between(0xD800, 0xDBFF, High),
    between(0xDC00, 0xDFFF, Low),
    !,
    Code is 0x10000 + ((High - 0xD800) << 10) + (Low - 0xDC00),
    joined_codes(Codes, Joined).
joined_codes([Code|Codes], [Code|Joined]) :-
    joined_codes(Codes, Joined).

%   Writes the reply to a message and fails, but succeeds for the last message.
served("bye", _, _, _).
served("hello", _, Name, _) :-
    hello(Name, Hello),
    write_message(Hello),
    fail.
served("run", Question, _, Rfcs) :-
    reply(Question, Rfcs, Reply),
    write_message(Reply.put(id, Question.id)),
    fail.

write_message(Message) :-
    json_write_dict(user_output, Message, [width(0)]),
    nl(user_output),
    flush_output(user_output).

hello(Name, _{type: hello, protocol: 1, implementation: Implementation, ops: [parse, resolve, normalize, recompose],
              specs: [rfc3986], features: ['absent-vs-empty'], modes: [syntax], window: 64}) :-
    current_prolog_flag(version_data, swi(Major, Minor, Patch, _)),
    format(string(Version), "~d.~d.~d", [Major, Minor, Patch]),
    string_concat("SWI-Prolog ", Version, Runtime),
    Implementation = _{name: Name, version: Version, language: prolog, runtime: Runtime,
                       homepage: "https://www.swi-prolog.org/pldoc/man?section=uri"}.

%   The reply to a question, without its id. The library does not refuse any text.
reply(Question, Rfcs, Reply) :-
    catch(answered(Question, Rfcs, Answer), Error, true),
    (   var(Error)
    ->  Reply = Answer.put(status, ok)
    ;   Error = unsupported(Message)
    ->  Reply = _{status: unsupported, message: Message}
    ;   format(string(Message), "~q", [Error]),
        Reply = _{status: error, message: Message}
    ).

answered(Question, Rfcs, Answer) :-
    (   has_bytes(Question)
    ->  throw(unsupported("the library takes Unicode text only"))
    ;   answer(Question.op, Question, Rfcs, Answer)
    ->  true
    ;   throw(failed(Question.op))
    ).

has_bytes(Question) :-
    (   member(Name, [url, base, reference]),
        get_dict(Name, Question, Text)
    ;   get_dict(components, Question, Components),
        get_dict(_, Components, Text)
    ),
    is_dict(Text),
    !.

answer("parse", Question, Rfcs, _{components: Components}) :-
    !,
    check_rule(Question, Rfcs),
    parts(Question.url, Parts),
    names(Rfcs.components, Question.spec, Parts.scheme, Names),
    findall(Name-Text, (get_dict(Name, Names, Part), component(Part, Parts, Text)), Shown),
    dict_pairs(Components, _, Shown).
answer("resolve", Question, _, _{url: Url}) :-
    !,
    uri_resolve(Question.reference, Question.base, Resolved),
    atom_string(Resolved, Url).
answer("normalize", Question, _, _{url: Url}) :-
    !,
    (   get_dict(mode, Question, "scheme")
    ->  throw(unsupported("the library has no such normal form"))
    ;   true
    ),
    uri_normalized(Question.url, Normalized),
    atom_string(Normalized, Url).
answer("recompose", Question, _, _{url: Url}) :-
    !,
    (   memberchk(Question.spec, ["rfc1738", "rfc1808"])
    ->  throw(unsupported("the library has the components of RFC 3986"))
    ;   true
    ),
    maplist(given(Question.components), [scheme, authority, path, query, fragment], Given),
    Parts =.. [uri_components|Given],
    uri_components(Recomposed, Parts),
    atom_string(Recomposed, Url).
answer(_, _, _, _) :-
    throw(unsupported("the library has no such operation")).

%   The names of the components of an RFC. Under RFC 1738, they depend on the scheme.
names(All, Spec, Scheme, Names) :-
    atom_string(SpecKey, Spec),
    get_dict(SpecKey, All, Own),
    string_lower(Scheme, Lower),
    atom_string(Key, Lower),
    (   get_dict(Key, Own, Names)
    ->  true
    ;   get_dict('', Own, Names)
    ).

component(Name, Parts, Text) :-
    atom_string(Key, Name),
    get_dict(Key, Parts, Text).

%   Throws if the rule of a question is not a rule for whole URLs.
check_rule(Question, Rfcs) :-
    (   get_dict(rule, Question, Rule)
    ->  atom_string(Name, Rule),
        atom_string(Spec, Question.spec),
        (   get_dict(Spec, Rfcs.rules, Rules),
            get_dict(Name, Rules, _)
        ->  true
        ;   throw(unsupported("the library knows whole URLs only"))
        )
    ;   true
    ).

%   The components of a text as the library shows them. An unbound variable means absent.
parts(Text, Parts) :-
    uri_components(Text, uri_components(Scheme, Authority, Path, Search, Fragment)),
    (   var(Authority)
    ->  true
    ;   uri_authority_components(Authority, uri_authority(User, Password, Host, Port)),
        userinfo(User, Password, Userinfo)
    ),
    (   atom_concat(/, Rest, Path)
    ->  UrlPath = Rest
    ;   true
    ),
    maplist(shown,
            [scheme-Scheme, authority-Authority, userinfo-Userinfo, user-User, password-Password, host-Host,
             port-Port, path-Path, 'url-path'-UrlPath, query-Search, fragment-Fragment],
            Shown),
    dict_pairs(Parts, _, Shown).

userinfo(User, Password, Userinfo) :-
    (   var(Password)
    ->  Userinfo = User
    ;   atomic_list_concat([User, :, Password], Userinfo)
    ).

%   Converts a component of the library, an atom or an integer (the port), to text for a reply.
shown(Name-Part, Name-Text) :-
    (   var(Part)
    ->  Text = null
    ;   atom_string(Part, Text)
    ).

%   Converts a component of a question to the form that the library expects.
given(Components, Name, Part) :-
    (   get_dict(Name, Components, Text),
        Text \== null
    ->  Part = Text
    ;   true
    ).
