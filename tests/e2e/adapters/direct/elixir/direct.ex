# Print the fields of URI: `LIBRARY`, one question and one answer a line.
# https://hexdocs.pm/elixir/1.14/URI.html

defmodule Direct do
  def main([library]) do
    Enum.each(IO.stream(:stdio, :line), fn line ->
      question = :jiffy.decode(line, [:return_maps])
      IO.puts(:jiffy.encode(answer(library, question)))
    end)
  end

  defp answer(library, %{"op" => operation} = question) do
    shown(operation, library, question)
  rescue
    failure -> %{failed: "#{inspect(failure.__struct__)}: #{Exception.message(failure)}"}
  catch
    {:refused, message} -> %{refused: message}
  end

  defp shown("parse", library, %{"url" => url}) do
    uri = parse(library, url)
    fields = Map.from_struct(uri)
    default_port = uri.scheme && URI.default_port(uri.scheme)
    accessors = Map.put(fields, :default_port, default_port)
    %{accessors: Map.new(accessors, fn {name, field} -> {name, if(field == nil, do: :null, else: field)} end)}
  end

  defp shown("resolve", library, %{"base" => base, "reference" => reference}) do
    %{url: URI.to_string(merge(parse(library, base), parse(library, reference)))}
  end

  defp shown("normalize", _library, _question) do
    %{offered: false}
  end

  # "you must merge onto an absolute URI"
  defp merge(base, reference) do
    URI.merge(base, reference)
  rescue
    refusal in ArgumentError -> throw({:refused, Exception.message(refusal)})
  end

  defp parse("elixir-uri", text) do
    case URI.new(text) do
      {:ok, uri} -> uri
      {:error, part} -> throw({:refused, part})
    end
  end

  defp parse("elixir-uri-parse", text) do
    URI.parse(text)
  end
end
