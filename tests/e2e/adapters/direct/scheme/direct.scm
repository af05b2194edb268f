;; Print the accessors of (web uri), one question and one answer a line.
;; https://www.gnu.org/software/guile/manual/html_node/URIs.html

(use-modules (ice-9 rdelim) (json) (web uri))

(define (text-or-null text)
  (or text 'null))

(define (accessors uri)
  `((scheme . ,(if (uri-scheme uri) (symbol->string (uri-scheme uri)) 'null))
    (userinfo . ,(text-or-null (uri-userinfo uri)))
    (host . ,(text-or-null (uri-host uri)))
    (port . ,(text-or-null (uri-port uri)))
    (path . ,(text-or-null (uri-path uri)))
    (query . ,(text-or-null (uri-query uri)))
    (fragment . ,(text-or-null (uri-fragment uri)))))

(define (shown question)
  (if (string=? (assoc-ref question "op") "parse")
      (let ((uri (string->uri-reference (assoc-ref question "url"))))
        ;; #f if the string could not be parsed
        (if uri
            `((accessors . ,(accessors uri)))
            '((refused . ""))))
      '((offered . #f))))

(define (answer question)
  (catch #t
    (lambda () (shown question))
    (lambda (key . arguments)
      `((failed . ,(object->string (cons key arguments)))))))

(set-port-encoding! (current-input-port) "UTF-8")
(set-port-encoding! (current-output-port) "UTF-8")
(let answer-lines ((line (read-line)))
  (unless (eof-object? line)
    (display (scm->json-string (answer (json-string->scm line))))
    (newline)
    (answer-lines (read-line))))
