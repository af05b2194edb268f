{ The urlconform adapter for the unit URIParser: adapter LIBRARY RFCS.

  RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
  Every answer comes from the library: the adapter only translates names, and does not correct any answer. }
program Adapter;

{$mode objfpc}{$H+}

uses
  Classes, SysUtils, fpjson, jsonparser, URIParser;

type
  { The library refuses the text. }
  ERefusal = class(Exception);

  { The library has no answer to the question. }
  EUnsupported = class(Exception);

var
  RFCs: TJSONObject;

{ ---- texts }

{ The text of a question. If it is not Unicode, the question contains an object with the hex digits. }
function TextOf(Question: TJSONObject; const Field: string): string;
var
  Digits: string;
begin
  if Question.Types[Field] <> jtObject then
    Exit(Question.Strings[Field]);
  Digits := Question.Objects[Field].Strings['hex'];
  SetLength(Result, Length(Digits) div 2);
  HexToBin(PChar(Digits), PChar(Result), Length(Result));
end;

{ A text for a reply, or an object with the hex digits if the text is not Unicode. }
function Shown(const Text: string): TJSONData;
var
  Digits: string;
begin
  if UTF8Encode(UTF8Decode(Text)) = Text then
    Exit(TJSONString.Create(Text));
  SetLength(Digits, 2 * Length(Text));
  BinToHex(PChar(Text), PChar(Digits), Length(Text));
  Result := TJSONObject.Create(['hex', LowerCase(Digits)]);
end;

{ A component, or null for an empty text. The library shows an absent component as an empty text. }
function NonEmpty(const Text: string): TJSONData;
begin
  if Text = '' then
    Result := TJSONNull.Create
  else
    Result := Shown(Text);
end;

{ ---- the library }

{ The components of a text, not decoded. }
function Parts(const Text: string): TJSONObject;
var
  URI: TURI;
  Path: string;
begin
  URI := ParseURI(Text, False);
  Path := URI.Path + URI.Document;
  Result := TJSONObject.Create;
  Result.Add('scheme', NonEmpty(URI.Protocol));
  if URI.Password = '' then
    Result.Add('userinfo', NonEmpty(URI.Username))
  else
    Result.Add('userinfo', Shown(URI.Username + ':' + URI.Password));
  if URI.HasAuthority then
    Result.Add('host', Shown(URI.Host))
  else
    Result.Add('host', TJSONNull.Create);
  if URI.Port = 0 then
    Result.Add('port', TJSONNull.Create)
  else
    Result.Add('port', IntToStr(URI.Port));
  Result.Add('path', Shown(Path));
  if Path.StartsWith('/') then
    Result.Add('url-path', Shown(Path.Substring(1)))
  else
    Result.Add('url-path', TJSONNull.Create);
  Result.Add('query', NonEmpty(URI.Params));
  Result.Add('fragment', NonEmpty(URI.Bookmark));
end;

function Resolved(const Base, Reference: string): string;
begin
  if not ResolveRelativeURI(Base, Reference, Result) then
    raise ERefusal.Create('ResolveRelativeURI returns False');
end;

{ ---- answers }

procedure CheckRule(Question: TJSONObject);
var
  Spec, Rule: string;
begin
  Spec := Question.Strings['spec'];
  Rule := Question.Get('rule', RFCs.Objects['default'].Strings[Spec]);
  if RFCs.Objects['rules'].Objects[Spec].Find(Rule) = nil then
    raise EUnsupported.Create('the library knows whole URLs only');
end;

{ The components under the names of the RFC. }
function Components(Question: TJSONObject): TJSONObject;
var
  Own: TJSONEnum;
  Found, Names: TJSONObject;
  Part: TJSONData;
  Scheme: string;
begin
  CheckRule(Question);
  Result := TJSONObject.Create;
  Found := Parts(TextOf(Question, 'url'));
  try
    Names := RFCs.Objects['components'].Objects[Question.Strings['spec']];
    Scheme := LowerCase(Found.Get('scheme', ''));
    if Names.Find(Scheme) = nil then
      Scheme := '';
    for Own in Names.Objects[Scheme] do
    begin
      Part := Found.Find(Own.Value.AsString);
      if Part <> nil then
        Result.Add(Own.Key, Part.Clone);
    end;
  finally
    Found.Free;
  end;
end;

{ ParseURI has no way to refuse a text, so there is no validate. }
procedure Answer(Question, Reply: TJSONObject);
begin
  case Question.Strings['op'] of
    'parse':
      Reply.Add('components', Components(Question));
    'resolve':
      Reply.Add('url', Shown(Resolved(TextOf(Question, 'base'), TextOf(Question, 'reference'))));
    else
      raise EUnsupported.Create('the library has no such operation');
  end;
end;

{ ---- messages }

function Hello(const Name: string): TJSONObject;
begin
  Result := TJSONObject.Create([
    'type', 'hello',
    'protocol', 1,
    'implementation', TJSONObject.Create([
      'name', Name,
      'version', {$I %FPCVERSION%},
      'language', 'pascal',
      'runtime', 'Free Pascal ' + {$I %FPCVERSION%},
      'homepage', 'https://www.freepascal.org/docs-html/fcl/uriparser/index.html']),
    'ops', TJSONArray.Create(['parse', 'resolve']),
    'specs', TJSONArray.Create,
    'features', TJSONArray.Create,
    'window', 64]);
end;

procedure Fail(Reply: TJSONObject; const Status, Message: string);
begin
  Reply.Strings['status'] := Status;
  Reply.Add('message', Message);
end;

function ReplyTo(Question: TJSONObject; const Line: string): TJSONObject;
begin
  Result := TJSONObject.Create(['id', Question.Int64s['id'], 'status', 'ok']);
  try
    if Pos('\u0000', Line) > 0 then
      raise EUnsupported.Create('the JSON reader of Free Pascal loses NUL');
    Answer(Question, Result);
  except
    on E: EUnsupported do
      Fail(Result, 'unsupported', E.Message);
    on E: ERefusal do
      Fail(Result, 'reject', E.Message);
    on E: Exception do
      Fail(Result, 'error', E.ClassName + ': ' + E.Message);
  end;
end;

procedure Send(Message: TJSONObject);
begin
  try
    WriteLn(Message.AsJSON);
    Flush(Output);
  finally
    Message.Free;
  end;
end;

{ Answers the questions on stdin, one JSON object per line. }
procedure Serve(const Name: string);
var
  Line: string;
  Message: TJSONObject;
begin
  while not EOF do
  begin
    ReadLn(Line);
    if Trim(Line) = '' then
      Continue;
    Message := GetJSON(Line) as TJSONObject;
    try
      case Message.Get('type', '') of
        'hello': Send(Hello(Name));
        'run': Send(ReplyTo(Message, Line));
        'bye': Exit;
      end;
    finally
      Message.Free;
    end;
  end;
end;

function ReadJSON(const Path: string): TJSONObject;
var
  Stream: TFileStream;
begin
  Stream := TFileStream.Create(Path, fmOpenRead);
  try
    Result := GetJSON(Stream) as TJSONObject;
  finally
    Stream.Free;
  end;
end;

begin
  SetMultiByteConversionCodePage(CP_UTF8); // so that no conversion changes the bytes of strings
  if (ParamCount <> 2) or (ParamStr(1) <> 'fpc-uriparser') then
  begin
    WriteLn(StdErr, 'usage: adapter fpc-uriparser RFCS');
    Halt(2);
  end;
  RFCs := ReadJSON(ParamStr(2));
  Serve(ParamStr(1));
end.
