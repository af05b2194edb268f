% Print the accessors of library(uri), one question and one answer a line.
% https://www.swi-prolog.org/pldoc/man?section=uri

:- use_module(library(uri)).
:- use_module(library(http/json)).

:- initialization(main, main).

main :-
    set_stream(user_input, encoding(utf8)),
    set_stream(user_output, encoding(utf8)),
    answer_lines.

answer_lines :-
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  true
    ;   atom_json_dict(Line, Question, []),
        answer(Question, Answer),
        json_write_dict(current_output, Answer, [width(0)]),
        nl,
        flush_output,
        answer_lines
    ).

answer(Question, Answer) :-
    atom_string(Operation, Question.op),
    catch(shown(Operation, Question, Answer), Error, failure(Error, Answer)),
    !.
answer(_, _{refused: ""}).

failure(Error, _{failed: Message}) :-
    format(string(Message), "~p", [Error]).

shown(parse, Question, _{accessors: Accessors}) :-
    uri_components(Question.url, Components),
    findall(Field-Text, component(Field, Components, Text), Texts),
    uri_data(authority, Components, Authority),
    authority_texts(Authority, AuthorityTexts),
    append(Texts, AuthorityTexts, Pairs),
    dict_pairs(Accessors, _, Pairs).
shown(resolve, Question, _{url: Url}) :-
    uri_resolve(Question.reference, Question.base, Url).
shown(normalize, Question, _{url: Url}) :-
    uri_normalized(Question.url, Url).

component(Field, Components, Text) :-
    member(Field, [scheme, authority, path, search, fragment]),
    uri_data(Field, Components, Data),
    text_or_null(Data, Text).

authority_texts(Authority, [user-null, password-null, host-null, port-null]) :-
    var(Authority),
    !.
authority_texts(Authority, Texts) :-
    uri_authority_components(Authority, Components),
    findall(Field-Text, authority_component(Field, Components, Text), Texts).

authority_component(Field, Components, Text) :-
    member(Field, [user, password, host, port]),
    uri_authority_data(Field, Components, Data),
    text_or_null(Data, Text).

% A component that is not found is left uninstantiated.
text_or_null(Data, null) :-
    var(Data),
    !.
text_or_null(Data, Data).
