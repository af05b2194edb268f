(* urlconform adapter for OCaml libraries: `adapter LIBRARY RFCS`.

   RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
   Every answer comes from the library: the adapter only translates names, and does not correct any answer. *)

module Json = Yojson.Safe
module Fields = Yojson.Safe.Util

(* The reason why the library has no answer. *)
exception Unsupported of string

(* ---- texts, which are bytes in OCaml *)

let is_utf_8 text =
  let is_in low high index =
    index < String.length text && low <= text.[index] && text.[index] <= high
  in
  let rest = is_in '\x80' '\xbf' in
  let rec from index =
    let two second = second (index + 1) in
    let three second = two second && rest (index + 2) in
    let four second = three second && rest (index + 3) in
    index = String.length text
    ||
    match text.[index] with
    | '\x00' .. '\x7f' -> from (index + 1)
    | '\xc2' .. '\xdf' -> two rest && from (index + 2)
    | '\xe0' -> three (is_in '\xa0' '\xbf') && from (index + 3)
    | '\xed' -> three (is_in '\x80' '\x9f') && from (index + 3)
    | '\xe1' .. '\xef' -> three rest && from (index + 3)
    | '\xf0' -> four (is_in '\x90' '\xbf') && from (index + 4)
    | '\xf1' .. '\xf3' -> four rest && from (index + 4)
    | '\xf4' -> four (is_in '\x80' '\x8f') && from (index + 4)
    | _ -> false
  in
  from 0

let hex_of text =
  let digits byte = Printf.sprintf "%02x" (Char.code byte) in
  String.concat "" (List.map digits (List.of_seq (String.to_seq text)))

let of_hex digits =
  let byte index = Char.chr (int_of_string ("0x" ^ String.sub digits (2 * index) 2)) in
  String.init (String.length digits / 2) byte

(* A text for a reply, or an object with the hex digits if the text is not Unicode. *)
let shown text : Json.t =
  if is_utf_8 text then `String text else `Assoc [ ("hex", `String (hex_of text)) ]

(* A text of a question, or None for null. *)
let given : Json.t -> string option = function
  | `Null -> None
  | `String text -> Some text
  | other -> Some (of_hex Fields.(other |> member "hex" |> to_string))

let text name question = Option.get (given (Fields.member name question))

(* ---- the library *)

(* The components as the library shows them. Scheme, host, user, password and fragment are decoded. Userinfo
   and path are encoded again. *)
let parts uri =
  let path = Uri.path uri in
  let is_rooted = String.length path > 0 && path.[0] = '/' in
  [
    ("scheme", Uri.scheme uri);
    ("userinfo", Uri.userinfo uri);
    ("user", Uri.user uri);
    ("password", Uri.password uri);
    ("host", Uri.host uri);
    ("port", Option.map string_of_int (Uri.port uri));
    ("path", Some path);
    ("url-path", if is_rooted then Some (String.sub path 1 (String.length path - 1)) else None);
    ("query", Uri.verbatim_query uri);
    ("fragment", Uri.fragment uri);
  ]

let port_number = function
  | None | Some "" -> None
  | Some digits -> (
      match int_of_string_opt digits with
      | None -> raise (Unsupported "the port is too big for the library")
      | port -> port)

(* The URI of components. Those that the library needs decoded are decoded. *)
let make part =
  Uri.make ?scheme:(part "scheme") ?userinfo:(part "userinfo")
    ?host:(Option.map Uri.pct_decode (part "host"))
    ?port:(port_number (part "port"))
    ?path:(part "path")
    ?query:(Option.map Uri.query_of_encoded (part "query"))
    ?fragment:(Option.map Uri.pct_decode (part "fragment"))
    ()

(* ---- answers *)

let hello : Json.t =
  let texts list = `List (List.map (fun text -> `String text) list) in
  `Assoc
    [
      ("type", `String "hello");
      ("protocol", `Int 1);
      ( "implementation",
        `Assoc
          [
            ("name", `String "ocaml-uri");
            ("version", `String Version.uri);
            ("language", `String "ocaml");
            ("runtime", `String ("OCaml " ^ Sys.ocaml_version));
            ("homepage", `String "https://github.com/mirage/ocaml-uri");
          ] );
      ("ops", texts [ "parse"; "resolve"; "normalize"; "recompose" ]);
      ("specs", texts [ "rfc3986" ]);
      ("features", texts [ "absent-vs-empty" ]);
      ("modes", texts [ "scheme" ]);
      ("window", `Int 64);
    ]

(* The components under the names of the RFC. *)
let parse rfcs question : Json.t =
  let spec = text "spec" question in
  let rules = Fields.(rfcs |> member "rules" |> member spec) in
  let default = Fields.(rfcs |> member "default" |> member spec |> to_string) in
  let rule = Option.value (given (Fields.member "rule" question)) ~default in
  if Fields.member rule rules = `Null then raise (Unsupported "the library knows whole URLs only");
  let uri = Uri.of_string (text "url" question) in
  let schemes = Fields.(rfcs |> member "components" |> member spec) in
  let scheme = String.lowercase_ascii (Option.value (Uri.scheme uri) ~default:"") in
  let own = Fields.(if member scheme schemes = `Null then member "" schemes else member scheme schemes) in
  let component (name, part) =
    List.assoc_opt (Fields.to_string part) (parts uri)
    |> Option.map (fun value -> (name, Option.fold value ~none:`Null ~some:shown))
  in
  `Assoc (List.filter_map component (Fields.to_assoc own))

(* The fields of the reply to a question, without its id. *)
let answer rfcs question : (string * Json.t) list =
  match text "op" question with
  | "parse" -> [ ("components", parse rfcs question) ]
  | "resolve" ->
      let base = Uri.of_string (text "base" question) in
      let reference = Uri.of_string (text "reference" question) in
      [ ("url", shown (Uri.to_string (Uri.resolve "" base reference))) ]
  | "normalize" when given (Fields.member "mode" question) = Some "scheme" ->
      let uri = Uri.of_string (text "url" question) in
      [ ("url", shown (Uri.to_string (Uri.canonicalize uri))) ]
  | "normalize" -> raise (Unsupported "the library has no such normal form")
  | "recompose" when List.mem (text "spec" question) [ "rfc1738"; "rfc1808" ] ->
      raise (Unsupported "the library has the components of RFC 3986")
  | "recompose" ->
      let part name = given Fields.(question |> member "components" |> member name) in
      [ ("url", shown (Uri.to_string (make part))) ]
  | _ -> raise (Unsupported "the library has no such operation")

(* ---- the protocol *)

let reply rfcs question : Json.t =
  let status name = ("status", `String name) in
  let failure name message = [ status name; ("message", `String message) ] in
  let fields =
    match answer rfcs question with
    | fields -> status "ok" :: fields
    | exception Unsupported reason -> failure "unsupported" reason
    | exception error -> failure "error" (Printexc.to_string error)
  in
  `Assoc (("id", Fields.member "id" question) :: fields)

(* Answer the messages on stdin, one JSON object per line. *)
let rec serve rfcs =
  let write message = print_endline (Json.to_string message) in
  match String.trim (read_line ()) with
  | exception End_of_file -> ()
  | "" -> serve rfcs
  | line -> (
      let message = Json.from_string line in
      match Fields.member "type" message with
      | `String "hello" ->
          write hello;
          serve rfcs
      | `String "run" ->
          write (reply rfcs message);
          serve rfcs
      | `String "bye" -> ()
      | _ -> serve rfcs)

let () =
  match Sys.argv with
  | [| _; "ocaml-uri"; path |] -> serve (Json.from_file path)
  | [| _; name; _ |] -> failwith ("no library " ^ name)
  | _ -> failwith "usage: adapter LIBRARY RFCS"
