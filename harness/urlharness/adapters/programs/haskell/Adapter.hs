{-# LANGUAGE CPP #-}
{-# LANGUAGE DeriveGeneric #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE OverloadedStrings #-}

-- | urlconform adapter for Haskell libraries: @adapter LIBRARY RFCS@.
--
-- RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
-- Every answer comes from the library: the adapter only translates names, and does not correct any answer.
module Main (main) where

import Control.Exception (SomeException (..), evaluate, try)
import Control.Monad (unless, when)
import Data.Aeson
import qualified Data.Aeson.KeyMap as KeyMap
import Data.Aeson.Types (Pair, Parser, parseEither)
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as BC
import Data.ByteString.Lazy (toStrict)
import Data.Char (toLower)
import Data.Map (Map, (!?))
import qualified Data.Map as Map
import Data.Maybe (fromMaybe, isJust, isNothing)
import Data.Text (Text)
import Data.Typeable (typeOf)
import Data.Version (showVersion)
import GHC.Generics (Generic)
import Network.URI
  ( URI (..),
    URIAuth (..),
    normalizeCase,
    normalizeEscape,
    normalizePathSegments,
    parseURIReference,
    relativeTo,
    uriAuthToString,
    uriToString,
  )
import System.Environment (getArgs)
import System.Exit (die)
import System.IO (hFlush, isEOF, stdout)
import System.Info (fullCompilerVersion)

-- * The library

-- | Components by the names of RFC 3986. 'Nothing' means absent.
type Parts = Map Text (Maybe String)

library :: String
library = "network-uri"

parsed :: String -> Either Failure URI
parsed = maybe (Left (Reject "parseURIReference returns Nothing")) Right . parseURIReference

written :: URI -> String
written uri = uriToString id uri ""

-- | The components, without the delimiters that the fields of the library contain.
partsOf :: URI -> Parts
partsOf uri =
  Map.fromList
    [ ("scheme", schemeOf uri),
      ("authority", writtenAuthority <$> authority'),
      ("userinfo", authority' >>= withoutLast . uriUserInfo),
      ("host", uriRegName <$> authority'),
      ("port", authority' >>= withoutFirst . uriPort),
      ("path", Just (uriPath uri)),
      ("query", withoutFirst (uriQuery uri)),
      ("fragment", withoutFirst (uriFragment uri))
    ]
  where
    authority' = uriAuthority uri
    writtenAuthority one = drop 2 (uriAuthToString id (Just one) "") -- the text begins with "//"

schemeOf :: URI -> Maybe String
schemeOf = withoutLast . uriScheme

withoutFirst, withoutLast :: String -> Maybe String
withoutFirst field = if null field then Nothing else Just (tail field)
withoutLast field = if null field then Nothing else Just (init field)

-- | The inverse of 'partsOf'.
uriOf :: Parts -> URI
uriOf given =
  URI
    { uriScheme = maybe "" (<> ":") (part "scheme"),
      uriAuthority = authorityWith <$> part "host",
      uriPath = fromMaybe "" (part "path"),
      uriQuery = maybe "" ("?" <>) (part "query"),
      uriFragment = maybe "" ("#" <>) (part "fragment")
    }
  where
    part name = fromMaybe Nothing (given !? name)
    authorityWith host =
      URIAuth
        { uriUserInfo = maybe "" (<> "@") (part "userinfo"),
          uriRegName = host,
          uriPort = maybe "" (":" <>) (part "port")
        }

-- * The RFCs

data Rfcs = Rfcs
  { defaultRules :: Map Text Text,
    rules :: Map Text (Map Text Rule),
    componentNames :: Map Text (Map String (Map Key Text))
  }

instance FromJSON Rfcs where
  parseJSON = withObject "RFCs" $ \o -> Rfcs <$> o .: "default" <*> o .: "rules" <*> o .: "components"

-- | The form that a grammar rule requires of a whole URL: absolute, relative or reference.
data Rule = Rule {form :: Text, fragment :: Bool, scheme :: Maybe String}
  deriving (Generic)

instance FromJSON Rule

-- * Answers

-- | The reason why the library has no answer.
data Failure = Reject String | Unsupported String

-- | The fields of a reply.
type Answer = Either Failure [Pair]

hello :: Value
hello =
  object
    [ "type" .= String "hello",
      "protocol" .= Number 1,
      "implementation"
        .= object
          [ "name" .= library,
            "version" .= String VERSION_network_uri,
            "language" .= String "haskell",
            "runtime" .= ("GHC " <> showVersion fullCompilerVersion),
            "homepage" .= ("https://hackage.haskell.org/package/" <> library)
          ],
      "ops" .= map String ["validate", "parse", "resolve", "normalize", "recompose"],
      "specs" .= [String "rfc3986"],
      "features" .= map String ["absent-vs-empty", "validate-by-parse"],
      "modes" .= [String "syntax"],
      "window" .= Number 64
    ]

answer :: Rfcs -> Object -> Parser Answer
answer rfcs question
  | hasBytes (Object question) = unsupported "the library takes text, not bytes"
  | otherwise = do
      spec <- question .: "spec"
      rule <- question .:? "rule"
      question .: "op" >>= \case
        String "validate" -> validate (ruleOf rfcs spec rule) <$> question .: "url"
        String "parse" -> parse rfcs spec (ruleOf rfcs spec rule) <$> question .: "url"
        String "resolve" -> resolve <$> question .: "base" <*> question .: "reference"
        String "normalize" -> normalize <$> question .:? "mode" <*> question .: "url"
        String "recompose"
          | spec `elem` ["rfc1738", "rfc1808"] -> unsupported "the library has the components of RFC 3986"
          | otherwise -> recompose <$> question .: "components"
        _ -> unsupported "the library has no such operation"
  where
    unsupported = pure . Left . Unsupported

-- | Accept a text if the library accepts it, and if it has the form that the rule requires.
validate :: Either Failure Rule -> String -> Answer
validate wanted text = do
  rule <- wanted
  found <- schemeOf <$> parsed text
  when (form rule == "absolute" && isNothing found) $ refuse "it has no scheme"
  when (form rule == "relative" && isJust found) $ refuse "it has a scheme"
  unless (fragment rule || '#' `notElem` text) $ refuse "it has a fragment"
  when (isJust (scheme rule) && fmap (map toLower) found /= scheme rule) $
    refuse ("the scheme is " <> fromMaybe "" found)
  pure []
  where
    refuse = Left . Reject

-- | The components under the names of the RFC.
parse :: Rfcs -> Text -> Either Failure Rule -> String -> Answer
parse rfcs spec wanted text = do
  _ <- wanted
  uri <- parsed text
  let parts = Map.insert "url-path" (afterSlash (uriPath uri)) (partsOf uri)
      schemes = fromMaybe Map.empty (componentNames rfcs !? spec)
      own = Map.findWithDefault (schemes Map.! "") (map toLower (fromMaybe "" (schemeOf uri))) schemes
  pure ["components" .= Map.mapMaybe (parts !?) own]
  where
    afterSlash ('/' : rest) = Just rest
    afterSlash _ = Nothing

resolve :: String -> String -> Answer
resolve base reference = do
  from <- parsed base
  to <- parsed reference
  pure ["url" .= written (to `relativeTo` from)]

-- | The functions for sections 6.2.2.1, 6.2.2.2 and 6.2.2.3 of RFC 3986. They do not refuse any text.
normalize :: Maybe Text -> String -> Answer
normalize (Just "scheme") _ = Left (Unsupported "the library has no such normal form")
normalize _ text = pure ["url" .= (normalizePathSegments . normalizeEscape . normalizeCase) text]

-- | The text of components that have the names of RFC 3986.
recompose :: Parts -> Answer
recompose given = pure ["url" .= written (uriOf given)]

-- | The rule of a question, which must be a rule for whole URLs.
ruleOf :: Rfcs -> Text -> Maybe Text -> Either Failure Rule
ruleOf rfcs spec given = maybe (Left (Unsupported "the library knows whole URLs only")) Right found
  where
    found = do
      name <- maybe (defaultRules rfcs !? spec) Just given
      rules rfcs !? spec >>= (!? name)

-- | True if a text of a question is not Unicode. Such a text is an object with the hex digits.
hasBytes :: Value -> Bool
hasBytes (Object fields) = KeyMap.member "hex" fields || any hasBytes fields
hasBytes _ = False

-- * The protocol

-- | The reply to a question. An exception of the library becomes a reply with the status error.
replyTo :: Rfcs -> Object -> IO B.ByteString
replyTo rfcs question = do
  number <- either die pure (parseEither (.: "id") question)
  let encoded fields = toStrict (encode (object (("id" .= (number :: Value)) : fields)))
      found = either (status "error") fieldsOf (parseEither (answer rfcs) question)
      failed (SomeException e) = status "error" (show (typeOf e) <> ": " <> show e)
  either (encoded . failed) id <$> try (evaluate (encoded found))
  where
    fieldsOf (Right fields) = ("status" .= String "ok") : fields
    fieldsOf (Left (Reject message)) = status "reject" message
    fieldsOf (Left (Unsupported message)) = status "unsupported" message
    status name message = ["status" .= String name, "message" .= message]

-- | Answer the messages on stdin, one JSON object per line.
serve :: Rfcs -> IO ()
serve rfcs = do
  end <- isEOF
  unless end $ do
    line <- BC.getLine
    message <- if B.null (BC.strip line) then pure KeyMap.empty else either die pure (eitherDecodeStrict' line)
    case KeyMap.lookup "type" message of
      Just "hello" -> write (toStrict (encode hello)) >> serve rfcs
      Just "run" -> replyTo rfcs message >>= write >> serve rfcs
      Just "bye" -> pure ()
      _ -> serve rfcs
  where
    write reply = BC.putStrLn reply >> hFlush stdout

main :: IO ()
main =
  getArgs >>= \case
    [name, path] | name == library -> eitherDecodeFileStrict' path >>= either die serve
    [name, _] -> die ("no library " <> name)
    _ -> die "usage: adapter LIBRARY RFCS"
