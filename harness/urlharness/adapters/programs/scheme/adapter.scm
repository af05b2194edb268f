;;; The urlconform adapter for the module (web uri) of Guile: guile -s adapter.scm LIBRARY RFCS.
;;;
;;; RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
;;; Every answer comes from the library: the adapter only translates names, and does not correct any answer.

(use-modules (ice-9 match)
             (ice-9 rdelim)
             (json)
             (srfi srfi-1)
             (web uri))

(define (unsupported message)
  (throw 'unsupported message))

(define (refuse message)
  (throw 'refusal message))

;;; The library

(define (parse text)
  (or (string->uri-reference text)
      (refuse "string->uri-reference returns #f")))

(define (scheme-of uri)
  (and (uri-scheme uri)
       (symbol->string (uri-scheme uri))))

;; The components of a URI. Null means absent.
(define (parts uri)
  (define (shown value)
    (or value 'null))
  `(("scheme" . ,(shown (scheme-of uri)))
    ("userinfo" . ,(shown (uri-userinfo uri)))
    ("host" . ,(shown (in-brackets (uri-host uri))))
    ("port" . ,(shown (and=> (uri-port uri) number->string)))
    ("path" . ,(uri-path uri))
    ("url-path" . ,(if (string-prefix? "/" (uri-path uri))
                       (substring (uri-path uri) 1)
                       'null))
    ("query" . ,(shown (uri-query uri)))
    ("fragment" . ,(shown (uri-fragment uri)))))

;; The host, with the brackets of an IPv6 address. The library omits the brackets.
(define (in-brackets host)
  (if (and host (string-index host #\:))
      (string-append "[" host "]")
      host))

;; The inverse of in-brackets.
(define (without-brackets host)
  (if (and host (string-prefix? "[" host) (string-index host #\:))
      (string-drop-right (string-drop host 1) 1)
      host))

(define (recompose components)
  (define (given name)
    (match (assoc-ref components name)
      ('null #f)
      (component component)))
  (uri->string
   (build-uri-reference #:scheme (and=> (given "scheme") string->symbol)
                        #:userinfo (given "userinfo")
                        #:host (without-brackets (given "host"))
                        #:port (and=> (given "port") string->number) ; #f for an empty port
                        #:path (given "path")
                        #:query (given "query")
                        #:fragment (given "fragment"))))

;;; Answers

(define (answer-validate question rfcs)
  (let* ((rule (rule-of question rfcs))
         (text (text-of question "url"))
         (scheme (scheme-of (parse text)))
         (form (assoc-ref rule "form"))
         (required (assoc-ref rule "scheme")))
    (cond
     ((and (string=? form "absolute") (not scheme))
      (refuse "it has no scheme"))
     ((and (string=? form "relative") scheme)
      (refuse "it has a scheme"))
     ((and (not (assoc-ref rule "fragment")) (string-index text #\#))
      (refuse "it has a fragment"))
     ((and required (not (string=? scheme required))) ; the library has changed it to lower case
      (refuse (string-append "the scheme is " scheme))))
    '()))

;; The components under the names of the RFC.
(define (answer-parse question rfcs)
  (rule-of question rfcs) ; this refuses rules that are not for whole URLs
  (let* ((uri (parse (text-of question "url")))
         (found (parts uri))
         (names (nested rfcs "components" (assoc-ref question "spec")))
         (own (or (assoc-ref names (or (scheme-of uri) ""))
                  (assoc-ref names ""))))
    `(("components"
       . ,(filter-map
           (match-lambda
             ((name . part)
              (and=> (assoc part found)
                     (match-lambda ((_ . value) (cons name value))))))
           own)))))

(define (answer-recompose question rfcs)
  (when (member (assoc-ref question "spec") '("rfc1738" "rfc1808"))
    (unsupported "the library has the components of RFC 3986"))
  (let ((components (assoc-ref question "components")))
    (for-each (match-lambda ((_ . value) (check-text value))) components)
    `(("url" . ,(recompose components)))))

(define operations
  `(("validate" . ,answer-validate)
    ("parse" . ,answer-parse)
    ("recompose" . ,answer-recompose)))

;; The form that the rule of a question requires, if it is a rule for whole URLs.
(define (rule-of question rfcs)
  (let* ((spec (assoc-ref question "spec"))
         (rule (or (assoc-ref question "rule")
                   (nested rfcs "default" spec))))
    (or (nested rfcs "rules" spec rule)
        (unsupported "the library knows whole URLs only"))))

(define (nested object . names)
  (fold (lambda (name inner) (assoc-ref inner name)) object names))

(define (text-of question field)
  (let ((text (assoc-ref question field)))
    (check-text text)
    text))

;; Refuse a text that is not Unicode, which is an object with the hex digits.
(define (check-text value)
  (when (pair? value)
    (unsupported "the library takes Unicode text only")))

;;; Messages

(define (hello name)
  `(("type" . "hello")
    ("protocol" . 1)
    ("implementation"
     . (("name" . ,name)
        ("version" . ,(version))
        ("language" . "scheme")
        ("runtime" . ,(string-append "Guile " (version)))
        ("homepage" . "https://www.gnu.org/software/guile/manual/html_node/URIs.html")))
    ("ops" . ,(list->vector (map car operations)))
    ("specs" . #("rfc3986"))
    ("features" . #("absent-vs-empty" "validate-by-parse"))
    ("window" . 64)))

(define (failure status message)
  `(("status" . ,status) ("message" . ,message)))

;; The reply to a question, without its id.
(define (reply question rfcs)
  (catch #t
    (lambda ()
      (let ((operation (assoc-ref operations (assoc-ref question "op"))))
        (unless operation
          (unsupported "the library has no such operation"))
        (acons "status" "ok" (operation question rfcs))))
    (match-lambda*
      (('unsupported message) (failure "unsupported" message))
      (('refusal message) (failure "reject" message))
      (('uri-error message arguments) (failure "reject" (apply format #f message arguments)))
      ((key . arguments) (failure "error" (format #f "~a: ~s" key arguments))))))

;; JSON with escaped control characters. The package for JSON does not escape them.
(define (escaped json)
  (define (escape char)
    (if (char-set-contains? char-set:iso-control char)
        (string-append "\\u" (string-pad (number->string (char->integer char) 16) 4 #\0))
        (string char)))
  (if (string-index json char-set:iso-control)
      (string-concatenate (map escape (string->list json)))
      json))

(define (send message)
  (display (escaped (scm->json-string message)))
  (newline)
  (force-output))

;; Answers the questions on stdin, one JSON object per line.
(define (serve name rfcs)
  (let ((line (read-line)))
    (unless (eof-object? line)
      (let* ((message (if (string-null? (string-trim-both line)) '() (json-string->scm line)))
             (type (assoc-ref message "type")))
        (cond
         ((equal? type "hello")
          (send (hello name)))
         ((equal? type "run")
          (send (acons "id" (assoc-ref message "id") (reply message rfcs)))))
        (unless (equal? type "bye")
          (serve name rfcs))))))

(define (main name path)
  (unless (string=? name "guile-web-uri")
    (error "no library" name))
  (setlocale LC_ALL "C.UTF-8") ; the regular expressions of the library depend on the locale
  (set-port-encoding! (current-input-port) "UTF-8")
  (set-port-encoding! (current-output-port) "UTF-8")
  (serve name (call-with-input-file path json->scm)))

(apply main (cdr (command-line)))
