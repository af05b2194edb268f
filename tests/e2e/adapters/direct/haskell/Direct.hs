{-# LANGUAGE OverloadedStrings #-}

-- Print the fields of Network.URI, one question and one answer a line.
-- https://hackage.haskell.org/package/network-uri-2.6.4.1/docs/Network-URI.html

module Main (main) where

import Data.Aeson
import Data.Aeson.Types (Pair, Parser, parseEither)
import qualified Data.ByteString.Char8 as Bytes
import qualified Data.ByteString.Lazy.Char8 as LazyBytes
import Network.URI
import System.IO

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  questions <- Bytes.lines <$> Bytes.getContents
  mapM_ (LazyBytes.putStrLn . encode . answer) questions

answer :: Bytes.ByteString -> Value
answer line = either error object (eitherDecodeStrict line >>= parseEither shown)

shown :: Object -> Parser [Pair]
shown question = do
  operation <- question .: "op"
  case operation :: String of
    "parse" -> parse <$> question .: "url"
    "resolve" -> resolve <$> question .: "base" <*> question .: "reference"
    _ -> normalize <$> question .: "url"

refused :: [Pair]
refused = ["refused" .= ("" :: String)]

parse :: String -> [Pair]
parse url = maybe refused (\uri -> ["accessors" .= accessors uri]) (parseURIReference url)

accessors :: URI -> Value
accessors uri =
  object
    [ "uriScheme" .= uriScheme uri,
      "uriAuthToString" .= uriAuthToString id (uriAuthority uri) "",
      "uriUserInfo" .= fmap uriUserInfo (uriAuthority uri),
      "uriRegName" .= fmap uriRegName (uriAuthority uri),
      "uriPort" .= fmap uriPort (uriAuthority uri),
      "uriPath" .= uriPath uri,
      "uriQuery" .= uriQuery uri,
      "uriFragment" .= uriFragment uri
    ]

-- show hides the password, uriToString has a parameter for it
resolve :: String -> String -> [Pair]
resolve base reference =
  case (parseURIReference reference, parseURIReference base) of
    (Just referenceUri, Just baseUri) -> ["url" .= uriToString id (referenceUri `relativeTo` baseUri) ""]
    _ -> refused

-- the three functions take any string
normalize :: String -> [Pair]
normalize url = ["url" .= normalizePathSegments (normalizeEscape (normalizeCase url))]
