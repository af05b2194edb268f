(* Print the accessors of Uri, one question and one answer a line.
   https://ocaml.org/p/uri/4.2.0/doc/Uri/index.html *)

let text_or_null text = Option.fold ~none:`Null ~some:(fun text -> `String text) text
let number_or_null number = Option.fold ~none:`Null ~some:(fun number -> `Int number) number

let accessors uri =
  `Assoc
    [
      ("scheme", text_or_null (Uri.scheme uri));
      ("userinfo", text_or_null (Uri.userinfo uri));
      ("user", text_or_null (Uri.user uri));
      ("password", text_or_null (Uri.password uri));
      ("host", text_or_null (Uri.host uri));
      ("port", number_or_null (Uri.port uri));
      ("path", `String (Uri.path uri));
      ("verbatim_query", text_or_null (Uri.verbatim_query uri));
      ("fragment", text_or_null (Uri.fragment uri));
    ]

let shown question =
  let uri_of name = Uri.of_string Yojson.Safe.Util.(to_string (member name question)) in
  match Yojson.Safe.Util.(to_string (member "op" question)) with
  | "parse" -> ("accessors", accessors (uri_of "url"))
  (* the first argument is the scheme of a base without scheme *)
  | "resolve" -> ("url", `String (Uri.to_string (Uri.resolve "" (uri_of "base") (uri_of "reference"))))
  | _ -> ("url", `String (Uri.to_string (Uri.canonicalize (uri_of "url"))))

let answer question = try shown question with failure -> ("failed", `String (Printexc.to_string failure))

let rec answer_lines () =
  match input_line stdin with
  | line ->
      print_endline (Yojson.Safe.to_string (`Assoc [ answer (Yojson.Safe.from_string line) ]));
      answer_lines ()
  | exception End_of_file -> ()

let () = answer_lines ()
