{ Print the fields of TURI, one question and one answer a line.
  https://www.freepascal.org/docs-html/current/fcl/uriparser/index.html }

program direct;

{$mode objfpc}{$H+}

uses
  SysUtils, fpjson, jsonparser, URIParser;

function Accessors(const URL: string): TJSONObject;
var
  URI: TURI;
begin
  { the parameter Decode is true by default; with false, the fields are encoded }
  URI := ParseURI(URL, False);
  Result := TJSONObject.Create([
    'Protocol', URI.Protocol, 'Username', URI.Username, 'Password', URI.Password, 'Host', URI.Host,
    'Port', Integer(URI.Port), 'Path', URI.Path, 'Document', URI.Document, 'Params', URI.Params,
    'Bookmark', URI.Bookmark, 'HasAuthority', URI.HasAuthority]);
end;

function Resolved(const Base, Reference: string): TJSONObject;
var
  URL: string;
begin
  if ResolveRelativeURI(Base, Reference, URL) then
    Result := TJSONObject.Create(['url', URL])
  else
    Result := TJSONObject.Create(['refused', '']);
end;

function Shown(Question: TJSONObject): TJSONObject;
begin
  case Question.Strings['op'] of
    'parse': Result := TJSONObject.Create(['accessors', Accessors(Question.Strings['url'])]);
    'resolve': Result := Resolved(Question.Strings['base'], Question.Strings['reference']);
  else
    Result := TJSONObject.Create(['offered', False]);
  end;
end;

function Answer(Question: TJSONObject): TJSONObject;
begin
  try
    Result := Shown(Question);
  except
    on Failure: Exception do
      Result := TJSONObject.Create(['failed', Failure.ClassName + ': ' + Failure.Message]);
  end;
end;

var
  Line: string;
begin
  SetMultiByteConversionCodePage(CP_UTF8);
  while not EOF do
  begin
    ReadLn(Line);
    WriteLn(Answer(TJSONObject(GetJSON(Line))).AsJSON);
    Flush(Output);
  end;
end.
