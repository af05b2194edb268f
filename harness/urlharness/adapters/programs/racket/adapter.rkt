#lang racket/base

;; The urlconform adapter for net/url: racket adapter.rkt LIBRARY RFCS.
;;
;; RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
;; Every answer comes from the library: the adapter only translates names, and does not correct any answer.

(require json
         net/url
         racket/string)

;; A text that does not have the form that the rule requires.
(struct refusal (message))

;; The library cannot answer a question.
(struct unsupported (message))

;; ---- the library

;; The components of a URL. Null means absent; false means that the library does not show the component as one
;; text. The documentation says that user, path, query and fragment are "without URL-syntax-specific quoting".
(define (components-of u)
  (define (shown value)
    (or value (json-null)))
  (define path (path-of u))
  (hasheq 'scheme (shown (url-scheme u))
          'userinfo (shown (url-user u))
          'host (shown (host-of u))
          'port (shown (and (url-port u) (number->string (url-port u))))
          'path path
          'url-path (and path (if (string-prefix? path "/") (substring path 1) (json-null)))
          'query (if (null? (url-query u)) (json-null) (query-of u))
          'fragment (shown (url-fragment u))))

;; The host, with the brackets that url->string writes around it.
(define (host-of u)
  (define host (url-host u))
  (define literal (format "[~a]" host))
  (define written
    (url->string (url #f #f host #f #f '() '() #f)))
  (if (and host (string-contains? written literal)) literal host))

;; The path, whose segments are a list. False if a decoded delimiter or dot segment would make it another path.
(define (path-of u)
  (define segments (map segment-of (url-path u)))
  (define lead
    (if (and (url-path-absolute? u) (pair? segments)) "/" ""))
  (and (andmap values segments) (string-append lead (string-join segments "/"))))

;; The text of a segment and its parameters, or false. The library shows dot segments as symbols.
(define (segment-of segment)
  (define name (path/param-path segment))
  (define parameters (path/param-param segment))
  (define (without-delimiter? text)
    (not (regexp-match? #rx"[/;]" text)))
  (define shown-name
    (case name
      [(same) "."]
      [(up) ".."]
      [else name]))
  (and (not (member name '("." "..")))
       (andmap without-delimiter? (cons shown-name parameters))
       (string-join (cons shown-name parameters) ";")))

;; The query, which is a list of pairs, or false if a decoded delimiter would make it another list.
(define (query-of u)
  (define pairs (map pair-of (url-query u)))
  (and (andmap values pairs) (string-join pairs "&")))

;; The text of a pair, or false. The second text of a pair is false if there is no equals sign.
(define (pair-of pair)
  (define name (symbol->string (car pair)))
  (define value (cdr pair))
  (and (not (regexp-match? #rx"[=&;]" name))
       (not (and value (regexp-match? #rx"[&;]" value)))
       (if value (string-append name "=" value) name)))

(define (resolve base reference)
  (url->string (combine-url/relative (string->url base) reference)))

;; ---- answers

(define (answer-validate question rfcs)
  (define rule (rule-of question rfcs))
  (define text (text-of question 'url))
  (define scheme (url-scheme (string->url text)))
  (define form (hash-ref rule 'form))
  (cond
    [(and (equal? form "absolute") (not scheme))
     (raise (refusal "it has no scheme"))]
    [(and (equal? form "relative") scheme)
     (raise (refusal "it has a scheme"))]
    [(and (not (hash-ref rule 'fragment)) (string-contains? text "#"))
     (raise (refusal "it has a fragment"))]
    [(not (equal? (hash-ref rule 'scheme scheme) scheme)) ; the library has changed the scheme to lower case
     (raise (refusal (format "the scheme is ~a" scheme)))])
  (hasheq))

;; The components under the names of the RFC.
(define (answer-parse question rfcs)
  (rule-of question rfcs) ; this refuses rules that are not for whole URLs
  (define parsed (string->url (text-of question 'url)))
  (define parts (components-of parsed))
  (define names (hash-ref (hash-ref rfcs 'components) (spec-of question)))
  (define own
    (hash-ref names (string->symbol (or (url-scheme parsed) "")) (lambda () (hash-ref names '||))))
  (hasheq 'components
          (for*/hasheq ([(name part) own]
                        [value (in-value (hash-ref parts (string->symbol part) #f))]
                        #:when value)
            (values name value))))

(define (answer-resolve question rfcs)
  (hasheq 'url (resolve (text-of question 'base) (text-of question 'reference))))

(define operations
  (hash "validate" answer-validate
        "parse" answer-parse
        "resolve" answer-resolve))

(define (spec-of question)
  (string->symbol (hash-ref question 'spec)))

;; The form that the rule of a question requires, if it is a rule for whole URLs.
(define (rule-of question rfcs)
  (define spec (spec-of question))
  (define rule
    (hash-ref question 'rule (lambda () (hash-ref (hash-ref rfcs 'default) spec))))
  (hash-ref (hash-ref (hash-ref rfcs 'rules) spec)
            (string->symbol rule)
            (lambda () (raise (unsupported "the library knows whole URLs only")))))

(define (text-of question field)
  (define text (hash-ref question field))
  (unless (string? text)
    (raise (unsupported "the library takes Unicode text only")))
  text)

;; ---- messages

(define (hello name)
  (hasheq 'type "hello"
          'protocol 1
          'implementation (hasheq 'name name
                                  'version (version)
                                  'language "racket"
                                  'runtime (format "Racket ~a ~a" (system-type 'vm) (version))
                                  'homepage "https://docs.racket-lang.org/net/url.html")
          'ops (hash-keys operations)
          'specs '("rfc2396" "rfc3986")
          'features '("validate-by-parse")
          'window 64))

;; The reply to a question, without its id.
(define (reply question rfcs)
  (define (failure status message)
    (hasheq 'status status 'message message))
  (with-handlers ([unsupported? (lambda (e) (failure "unsupported" (unsupported-message e)))]
                  [refusal? (lambda (e) (failure "reject" (refusal-message e)))]
                  [url-exception? (lambda (e) (failure "reject" (exn-message e)))]
                  [exn:fail? (lambda (e) (failure "error" (exn-message e)))])
    (define operation
      (hash-ref operations
                (hash-ref question 'op)
                (lambda () (raise (unsupported "the library has no such operation")))))
    (hash-set (operation question rfcs) 'status "ok")))

(define (write-message message)
  (write-json message)
  (newline)
  (flush-output))

;; Answers the questions on stdin, one JSON object per line.
(define (serve name rfcs)
  (define line (read-line))
  (unless (eof-object? line)
    (define message
      (if (non-empty-string? (string-trim line)) (string->jsexpr line) (hasheq)))
    (define type (hash-ref message 'type #f))
    (cond
      [(equal? type "hello") (write-message (hello name))]
      [(equal? type "run")
       (write-message (hash-set (reply message rfcs) 'id (hash-ref message 'id)))])
    (unless (equal? type "bye")
      (serve name rfcs))))

(module+ main
  (define-values (name path) (apply values (vector->list (current-command-line-arguments))))
  (unless (equal? name "racket-net-url")
    (raise-user-error "no library" name))
  (serve name (call-with-input-file path read-json)))
