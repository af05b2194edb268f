defmodule Adapter do
  @moduledoc """
  urlconform adapter for Elixir libraries: `elixir -pa BUILD -e 'Adapter.main(System.argv())' LIBRARY RFCS`.

  RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
  Every answer comes from the library: the adapter only translates names, and does not correct any answer.
  """

  # `parse` returns the struct of a text. `refuses` is true if `parse` refuses invalid texts.
  @libraries %{
    "elixir-uri" => %{parse: &URI.new!/1, refuses: true},
    "elixir-uri-parse" => %{parse: &URI.parse/1, refuses: false}
  }

  @parts ~w(scheme userinfo host port path query fragment)a

  def main([name, path]) do
    library = Map.put(Map.fetch!(@libraries, name), :name, name)
    rfcs = path |> File.read!() |> decode()
    # read and write bytes, which jiffy decodes and encodes as UTF-8
    :ok = :io.setopts(encoding: :latin1)

    IO.binstream(:stdio, :line)
    |> Stream.reject(&(String.trim_leading(&1) == ""))
    |> Stream.map(&decode/1)
    |> Stream.take_while(&(&1["type"] != "bye"))
    |> Enum.each(&serve(&1, library, rfcs))
  end

  defp decode(text), do: :jiffy.decode(text, [:return_maps, :use_nil])

  defp write(message), do: IO.binwrite([:jiffy.encode(message, [:use_nil]), ?\n])

  defp serve(%{"type" => "hello"}, library, _), do: write(hello(library))

  defp serve(%{"type" => "run", "id" => id} = question, library, rfcs) do
    write(Map.put(reply(question, library, rfcs), :id, id))
  end

  defp hello(%{name: name, refuses: refuses}) do
    %{
      type: "hello",
      protocol: 1,
      implementation: %{
        name: name,
        version: System.version(),
        language: "elixir",
        runtime: "Erlang/OTP #{System.otp_release()}",
        homepage: "https://hexdocs.pm/elixir/URI.html"
      },
      ops: if(refuses, do: ["validate"], else: []) ++ ["parse", "resolve", "recompose"],
      specs: ["rfc3986"],
      features: if(refuses, do: ["validate-by-parse"], else: []) ++ ["absent-vs-empty"],
      window: 64
    }
  end

  # The reply to a question, without its id.
  defp reply(question, library, rfcs) do
    if bytes?(question) do
      throw({:unsupported, "the library takes Unicode text only"})
    end

    question["op"] |> answer(question, library, rfcs) |> Map.put(:status, "ok")
  catch
    {status, message} ->
      %{status: status, message: message}

    # `rescue` would also turn a badarg of Erlang into an ArgumentError
    :error, %type{} = error when type in [URI.Error, ArgumentError] ->
      %{status: "reject", message: Exception.message(error)}

    :error, reason ->
      %{status: "error", message: Exception.format_banner(:error, reason, __STACKTRACE__)}
  end

  defp bytes?(question) do
    texts = Map.take(question, ["url", "base", "reference"])
    Enum.any?(Map.values(texts) ++ Map.values(question["components"] || %{}), &is_map/1)
  end

  # Accept a text if the library accepts it, and if it has the form that the rule requires.
  defp answer("validate", %{"url" => text} = question, %{refuses: true} = library, rfcs) do
    rule = rule(question, rfcs)
    scheme = library.parse.(text).scheme

    cond do
      rule["form"] == "absolute" and scheme == nil -> throw({:reject, "it has no scheme"})
      rule["form"] == "relative" and scheme != nil -> throw({:reject, "it has a scheme"})
      not rule["fragment"] and text =~ "#" -> throw({:reject, "it has a fragment"})
      rule["scheme"] not in [nil, lower(scheme)] -> throw({:reject, "the scheme is #{scheme}"})
      true -> %{}
    end
  end

  # The components under the names of the RFC.
  defp answer("parse", %{"url" => text, "spec" => spec} = question, library, rfcs) do
    rule(question, rfcs)
    found = text |> library.parse.() |> parts()
    parts = Map.put(found, "url-path", url_path(found["path"]))
    own = rfcs["components"][spec]
    names = Map.get(own, lower(found["scheme"]), own[""])

    %{components: for({name, part} <- names, is_map_key(parts, part), into: %{}, do: {name, parts[part]})}
  end

  defp answer("resolve", %{"base" => base, "reference" => reference}, %{parse: parse}, _) do
    %{url: parse.(base) |> URI.merge(parse.(reference)) |> URI.to_string()}
  end

  defp answer("recompose", %{"spec" => spec}, _, _) when spec in ["rfc1738", "rfc1808"] do
    throw({:unsupported, "the library has the components of RFC 3986"})
  end

  defp answer("recompose", %{"components" => components}, _, _) do
    %{url: components |> given() |> URI.to_string()}
  end

  defp answer(_, _, _, _), do: throw({:unsupported, "the library has no such operation"})

  # The form that the rule of a question requires, if it is a rule for whole URLs.
  defp rule(%{"spec" => spec} = question, rfcs) do
    name = question["rule"] || rfcs["default"][spec]
    rfcs["rules"][spec][name] || throw({:unsupported, "the library knows whole URLs only"})
  end

  defp url_path("/" <> path), do: path
  defp url_path(_), do: nil

  defp lower(text), do: String.downcase(text || "", :ascii)

  # ---- URI

  # The components as the library shows them. It shows an empty path as nil.
  defp parts(url) do
    Map.merge(port(url), %{
      "scheme" => url.scheme,
      "userinfo" => url.userinfo,
      "host" => host(url),
      "path" => url.path || "",
      "query" => url.query,
      "fragment" => url.fragment
    })
  end

  # The port, unless it is the default port: the library also shows the default port if there is no port.
  defp port(%URI{port: nil}), do: %{"port" => nil}
  defp port(%URI{port: :undefined}), do: %{"port" => ""}

  defp port(%URI{scheme: scheme, port: port}) do
    if scheme && port == URI.default_port(scheme), do: %{}, else: %{"port" => Integer.to_string(port)}
  end

  # The host, with the brackets that the library has around it in the authority or writes around it.
  defp host(%URI{host: nil}), do: nil

  defp host(%URI{host: host} = url) do
    literal = "[#{host}]"
    userinfo = if url.userinfo, do: url.userinfo <> "@", else: ""
    authority = url.authority || URI.to_string(%URI{host: host})
    host_and_port = authority |> String.replace_prefix("//", "") |> String.replace_prefix(userinfo, "")
    if String.starts_with?(host_and_port, literal), do: literal, else: host
  end

  # The struct of components. An empty port becomes nil.
  defp given(components) do
    struct(URI, for(part <- @parts, value = components["#{part}"], do: {part, taken(part, value)}))
  end

  defp taken(:host, "[" <> host), do: String.trim_trailing(host, "]")
  defp taken(:port, ""), do: nil
  defp taken(:port, port), do: String.to_integer(port)
  defp taken(_, part), do: part
end
