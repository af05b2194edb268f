#lang racket/base
; Print the fields of net/url, one question and one answer a line.
; https://docs.racket-lang.org/net/url.html

(require json net/url racket/string)

(define (text-or-null field)
  (or field (json-null)))

; A segment is a string, 'same for "." or 'up for "..", with parameters after semicolons.
(define (segment-text segment)
  (define name
    (case (path/param-path segment)
      [(same) "."]
      [(up) ".."]
      [else (path/param-path segment)]))
  (string-join (cons name (path/param-param segment)) ";"))

(define (query-pair pair)
  (list (symbol->string (car pair)) (text-or-null (cdr pair))))

(define (accessors url)
  (hash 'scheme (text-or-null (url-scheme url))
        'user (text-or-null (url-user url))
        'host (text-or-null (url-host url))
        'port (text-or-null (url-port url))
        'path-absolute? (url-path-absolute? url)
        'path (map segment-text (url-path url))
        'query (map query-pair (url-query url))
        'fragment (text-or-null (url-fragment url))))

(define (shown question)
  (case (hash-ref question 'op)
    [("parse") (hash 'accessors (accessors (string->url (hash-ref question 'url))))]
    [("resolve")
     (define base (string->url (hash-ref question 'base)))
     (hash 'url (url->string (combine-url/relative base (hash-ref question 'reference))))]
    [else (hash 'offered #f)]))

(define (answer question)
  (with-handlers ([url-exception? (lambda (refusal) (hash 'refused (exn-message refusal)))]
                  [exn:fail? (lambda (failure) (hash 'failed (exn-message failure)))])
    (shown question)))

(for ([line (in-lines)])
  (write-json (answer (string->jsexpr line)))
  (newline)
  (flush-output))
