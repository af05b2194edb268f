"""The calls of the program: one on each line, in scenes whose calls follow each other in one folder.

A line is what comes after `urlconform`, split as a shell does; `< FILE` gives a file as stdin. `{recorder}` is an
adapter that writes down what it is sent (files/recorder.py), and `{tinyurl}` the library of the folder `examples`. Every scene begins
with the files of the folder `files`, the modules of the example and, in `corpus`, a copy of the corpus of the
checkout. The help of every command is asked, too, and needs no line.
"""

ADAPTERS = {"recorder": "'jsonl:python3 recorder.py'", "tinyurl": "python:conformance:adapter"}

SCENES = {
    "one text under each RFC": """
        parse http://a/b;p?q#f
        parse --json http://u@h:80/%7e
        parse --spec rfc1738 ftp://u:p@h:21/a/b;type=a
        parse --spec 1808 --json //h/p;x?#
        parse --spec rfc3986 --rule relative-ref //h/p
        parse --spec rfc1738 --profile generic http://h/a
        parse --spec rfc1738 --profile prose --json http://h.example/a
        parse --spec rfc2396 'http://a b/'
        parse -- -
        parse ''
        parse 'http://a@b@c/'
        parse --spec rfc2732 --rule host '[::1]'
        validate http://a/
        validate --json 1a:b
        validate --spec rfc1738 --rule httpurl http://user@a/
        validate --spec rfc1738 --profile scheme-specific --json news:a
        validate --spec rfc3986 --rule IPv4address 192.0.2.256
        validate --spec rfc2732 --json 'http://[::1]/'
        validate 'http://a\\b'
        normalize HTTP://EXAMPLE.com:80/%7ea/../b
        normalize --mode scheme HTTP://EXAMPLE.com:80/%7ea/../b
        normalize --mode scheme --json ftp://a:21/
        normalize --spec rfc2396 --mode scheme HTTP://A:80
        normalize --spec rfc1808 http://a/
        normalize 'http://a b/'
        resolve http://a/b/c/d;p?q ../../../g
        resolve --json http://a/b/c/d;p?q '?y'
        resolve --spec rfc2396 http://a/b/c/d;p?q ../../../g
        resolve --spec 1808 --json http://a/b/c/d;p?q ''
        resolve mailto:a g
        resolve //h g
        resolve --spec rfc1738 http://a/ g
        equivalent http://a/%7Eb HTTP://a/~b
        equivalent --mode scheme --json http://a http://a:80/
        equivalent --spec rfc1738 http://a/ http://A:80
        equivalent --spec rfc1808 http://a/ http://a/
        equivalent http://a/ http://b/
        recompose scheme=http authority=a path=/b query=
        recompose --json scheme=http net_loc=a path=/b
        recompose --spec rfc1738 scheme=ftp host=h fpath=a ftptype=i
        recompose --spec rfc3986 - < components.json
        recompose --spec rfc1808 host=a
        decode ftp://a/%2Fetc/motd;type=a
        decode --json gopher://h/0a%09b
        decode mailto:a%40b
        decode http://a/b?c
        decode http://[::1]/
        decode telnet://h/
        base --embedded ../x --retrieval http://a/b/c
        base --encapsulating http://e/ --default http://d/ --json
        base --spec rfc3986 --embedded x --encapsulating y
        base --header 'Base: <URL:http://a/>'
        base --header '<URL:http://a/>'
        base --spec rfc1808
        base --spec rfc1738 --default http://d/
        extract prose.txt
        extract --json < prose.txt
        extract --spec rfc1738 prose.txt
        extract --spec rfc1808 prose.txt
        extract no-url.txt
    """,
    "explanations": """
        explain http://a/b?c
        explain --json http://u@h:80/%7e
        explain --tree http://a/
        explain --spec rfc1738 http://user@a/
        explain --base http://a/b/c/d;p?q ../../g
        explain --spec rfc3986 --base http://a/b/c --json ../g
        explain --spec rfc1808 --base http://a/b;p 'x;y?z'
        explain --spec rfc2396 --base http://a/b ../../g
        explain --base mailto:a g
        explain 'http://[fe80::1%25eth0]/'
        explain 'http://a b/'
        explain ''
        diff rfc2396 rfc2732
        diff --length 3 rfc3986:host rfc2396:host
        diff --json rfc1738:httpurl:generic rfc1738:httpurl:scheme-specific
        diff rfc3986:port rfc2396:port
        section rfc3986
        section rfc3986 5.2.2
        section --witnesses rfc2732 3
        section --json rfc1738 3.1
        section --rfc-dir . rfc1808 5.2
        section rfc3986 99
        ruling R-3986-08
        ruling --json G-09
        ruling R-1
    """,
    "a survey": """
        run urllib reference --spec 2732 --report json=run.jsonl --report html=run.html --report junit=run.xml --report markdown=run.md --report badge=badge.json --report github=github.txt
        report run.jsonl --sections --components -a urllib
        report run.jsonl --report html=again.html --report junit=again.xml --report markdown=again.md --report badge=badges.json --report github=again.txt
        run --spec rfc2732 --sections --components -a urllib
        --spec rfc2732
    """,
    "reports of all operations": """
        run urllib {tinyurl} --no-config --origin human --section 5 --report json=run.jsonl --report html=run.html --report junit=run.xml --report markdown=run.md
        run reference -k pair-00 --report json=pairs.jsonl
        run reference --flag security --spec 1738 --report json=security.jsonl
        run urllib --spec rfc1738 --flag basic --report json=basic.jsonl --report markdown=basic.md
        run urllib --rule host --report json=host.jsonl
        run urllib --tier resolution --spec rfc1808 --section 4 --maxfail 5
        run reference --tier decoding --spec rfc1738 --jobs 2
        run urllib --origin twin -k 3.2 --list
        run urllib --origin mutant --spec rfc2732 --fail-on must
        run urllib --vectors foreign.json --report json=foreign.jsonl
        run urllib -k excess --policy excess-dotdot=error --strict
        run urllib -k excess --no-strict --fail-on example --timeout 60 --start-timeout 60 --total-timeout 600
        run {tinyurl} urllib node-absent --no-config --spec 3986 --section 5.4
        run --gate --allow-missing urllib -k 5.4 --no-config
    """,
    "configured gate": """
        run --section 5.2 --report json=run.jsonl
        baseline create --section 5 -o base.json --timeout 60 --start-timeout 60 --total-timeout 600 --jobs 2
        run --section 5 --baseline base.json
        run --section 5 --baseline {tinyurl}=base.json --strict --report junit=gate.xml --report html=gate.html --report markdown=gate.md --report github=gate.txt
        baseline check base.json
        baseline check base.json --vectors corpus --fix
        baseline update base.json --section 5.2 --only-shrink
        baseline create urllib --no-config --spec rfc1808 -o urllib.json
        run urllib --no-config --spec rfc1808 --baseline urllib.json
        run urllib --no-config --baseline urllib.json
        run reference --no-config --spec rfc1808 --baseline urllib.json
        baseline create urllib --no-config --spec rfc1808 -o urllib.json
        baseline create urllib --no-config --origin human --rule host -k dot --flag basic --tier core --force -o few.json --vectors corpus --no-strict --fail-on must --policy excess-dotdot=error
        baseline create urllib --no-config --section 5.4 --strict -o strict.json
        baseline create run.jsonl --no-config -a {tinyurl} -o from-results.json
        baseline update from-results.json run.jsonl --no-config -a {tinyurl}
        baseline update few.json urllib --no-config --spec rfc3986 --section 3 --rule host --tier core --flag basic --origin human -k dot --vectors corpus --strict --fail-on must --policy excess-dotdot=error --timeout 60 --start-timeout 60 --total-timeout 600 --jobs 2
        baseline update from-results.json {tinyurl} --no-strict
        run --gate --no-config
        run --gate --section 5.4 --maxfail 1
    """,
    "one case": """
        repro rfc1808-5.2-excess-dotdot -a urllib
        repro rfc3986-3.1-case-file -a urllib --whole --timeout 60 --start-timeout 60
        repro rfc1808-5.2-excess-dotdot -a reference --vectors corpus
        repro rfc3986-5.4.2-too-many-dotdot -a {recorder}
        repro diff-several-ats-pair --spec rfc2396 -a urllib
        repro nothing -a urllib
    """,
    "what an adapter is sent": """
        run {recorder} --spec 2732
        run {recorder} -k pair-0
        run {recorder} --origin human --section 6
        run {recorder} --spec 1738 --flag basic --jobs 1
        run 'exec:sh exec.sh' -k pair-00
        run 'exec:sh exec.sh' --spec 1808 --section 5.4
        compare {recorder} urllib --texts urls.txt
        ask -a {recorder} -a urllib http://a@b/
        ask -a {recorder} --base http://a/b ../c
        repro rfc3986-6.2.2.1-case-host -a {recorder}
        fuzz run {recorder} --cases 30 --op normalize --no-feedback
        serve reference < questions.jsonl
        serve urllib < questions.jsonl
        serve {tinyurl} < questions.jsonl
        serve node-absent < questions.jsonl
    """,
    "adapters that break": """
        run 'jsonl:python3 dead.py' -k pair-00
        run 'jsonl:python3 mute.py' -k pair-00 --start-timeout 1
        run 'jsonl:python3 babbler.py' -k pair-00
        run 'jsonl:python3 wrong.py' --section 3.2 --spec 3986 --origin human --report json=wrong.jsonl --report junit=wrong.xml --report markdown=wrong.md
        run 'exec:false' -k pair-00
        run 'jsonl:no-such-program' -k pair-00
        run python:nothing:adapter -k pair-00
        run python:tinyurl:nothing -k pair-00
        run --gate node-absent -k pair-00
        ask -a 'jsonl:python3 dead.py' http://a/
        ask -a 'jsonl:python3 wrong.py' -a urllib http://u@h/ 'http://[::1]/' http://a/?b
        compare 'jsonl:python3 wrong.py' urllib --texts urls.txt
        adapters doctor 'jsonl:python3 wrong.py' --timeout 1 --start-timeout 60 --json
        adapters doctor 'jsonl:python3 babbler.py'
        adapters doctor 'jsonl:python3 dead.py'
        adapters doctor {recorder} --check 'long line'
        fuzz run 'jsonl:python3 dead.py' --cases 10
    """,
    "comparisons": """
        compare urllib {tinyurl}
        compare urllib {tinyurl} --all --report json=compare.json --report html=compare.html --report markdown=compare.md --report csv=compare.csv --report sarif=compare.sarif --sarif-location setup.py
        compare urllib {tinyurl} --spec rfc2396 --only host
        compare urllib {tinyurl} --where 'is:different path:'
        compare urllib {tinyurl} --texts urls.txt --report json=texts.json
        compare urllib {tinyurl} --texts - < urls.txt
        compare --check urllib --fetch {tinyurl}
        compare --check {tinyurl} --fetch urllib --host good.test --host evil.test --report json=bypass.json --report sarif=bypass.sarif --report markdown=bypass.md
        compare --check urllib --fetch reference --only other-target
        run urllib {tinyurl} --no-config --section 3 --spec 3986 --report json=new.jsonl
        run urllib --no-config --section 3.2 --spec 3986 --report json=old.jsonl
        compare --results new.jsonl
        compare urllib --results new.jsonl --report markdown=maintainer.md
        compare --history old.jsonl new.jsonl --all
        compare --history new.jsonl old.jsonl --report markdown=history.md
        ask -a urllib -a {tinyurl} -a reference http://u@h:80/%7e
        ask -a urllib -a {tinyurl} --json 'http://a@b@c/'
        ask -a urllib -a {tinyurl} --base http://a/b/c ../d
        ask -a urllib -a reference - < ask.txt
        ask -a urllib - < bytes.txt
    """,
    "campaigns": """
        fuzz run urllib {tinyurl} --cases 300 --seed 3 -o both
        fuzz run urllib {tinyurl} --cases 600 --seed 3 -o both
        fuzz show both
        fuzz run urllib --op resolve --cases 100 --no-fold --jobs 2 --timeout 60 --start-timeout 60 -o alone
        fuzz run urllib {tinyurl} --no-oracle --cases 100 --texts urls.txt --known both -o known --sarif-location urls.txt
        fuzz run urllib --spec rfc1808 --op validate --cases 50 --no-feedback --fold --feedback --time 600 -o validation
        fuzz show validation
        fuzz replay both --trust
        fuzz replay both
        fuzz minimise one.txt urllib {tinyurl}
        fuzz minimise urls.txt urllib reference --op validate --spec rfc3986 --fold
        fuzz minimise one.txt urllib reference --op resolve --base http://a/b --no-fold
        fuzz promote both/nothing
        fuzz show both nothing
        fuzz show nothing
    """,
    "generated texts": """
        generate --valid --count 20
        generate --invalid --count 20 --seed 4 --format jsonl
        generate --near-miss --boundary --spec rfc2732 --rule host --length 0:300 --format lines
        generate --cover --spec rfc3986 --rule authority
        generate --resolution --count 10 --spec 1808 --all-specs --base http://a/b
        generate --mutate urls.txt --count 10 --seed 7
        generate --class several-ats --count 10
        generate --valid --scheme http --explore --count 10 --all-specs
        generate --valid --uniform --length 5:9 --count 10 --rule URI
        generate --valid --weights weights.toml --count 10 --jobs 2
        generate --valid --spec rfc1738 --count 10
        generate --valid --invalid --count 4 --format vectors
        generate --near-miss --rule scheme --format corpus -o near
        generate --rule URI --format dict -o url.dict
        generate --valid --count 5 --format pytest -o test_cases.py
        generate --valid --count 5 --format parquet -o texts.parquet
        generate --tier complete --spec rfc3986 --rule relative-ref --limit 5
        generate --tier k1 --spec rfc2732 --rule host --digest
        generate --tier bytes --spec rfc1808 --rule fragment --limit 5 --seed 2
        generate --tier resolution --spec 1738
        generate --tier normalization --spec rfc2396 --check
        generate --tier equivalence --spec rfc1738 --limit 3
        generate --tier decoding --digest
        generate --tier recomposition --spec rfc1808 --limit 3
        generate --tier decoding --pin
    """,
    "columns": """
        check --spec rfc3986 urls.txt
        check --spec rfc1738 --profile generic urls.txt
        check --spec 3986 --rule URI-reference --json urls.txt
        check --spec rfc3986 --column url --format csv --threads 1 urls.csv
        check --spec rfc2396 -o out.parquet --components urls.txt
        check --spec rfc3986 --column url out.parquet
        check --spec rfc3986 - < urls.txt
        check --spec rfc3986 bytes.txt
        check --spec rfc3986 nothing.txt
        check --spec rfc3986 broken.parquet
    """,
    "adapters": """
        adapters list
        adapters list --json
        adapters install uritools --dry-run
        adapters install --set default --dry-run
        adapters install nothing --dry-run
        adapters new python -o mine
        adapters new shell --library nothing -o shell
        adapters new python -o mine
        adapters new cobol
        adapters doctor reference
        adapters doctor urllib --json
        adapters doctor {tinyurl} --check handshake
        adapters doctor {tinyurl}
    """,
    "the corpus": """
        vectors stats
        vectors stats --json
        vectors stats --spec rfc2732 --uncovered
        vectors stats --vectors corpus --spec rfc1808
        vectors lint
        vectors lint --vectors corpus --rfc-dir .
        vectors fmt --check
        vectors fmt --vectors corpus
        vectors lock --check
        vectors lock --vectors corpus --reason 'none' --release 1.1.0
        vectors twins
        vectors twins --vectors corpus --write
        vectors derive
        vectors derive --vectors corpus --write
        vectors cover
        vectors cover --vectors corpus --write
        vectors changelog corpus/vectors.lock corpus/vectors.lock --json
        vectors changelog corpus/vectors.lock --vectors corpus --check
        vectors export out --spec rfc2732
        vectors export out --spec rfc2732 --section 3 --force --vectors corpus
        vectors export formats --format json-schema-test-suite --all
        vectors export tiers --tier decoding --spec rfc1738 --section 3.4
        vectors adequacy --spec rfc2732 --sample 1 --seed 2 --processes 1 --survivors survivors.json -o adequacy.json --json
        vectors adopt survivors.json
        vectors adopt survivors.json --write --vectors corpus
        vectors add --requirement rfc3986-3.2.2-zone --op validate --url 'http://[fe80::1%25a]/' --expect '{"valid": false}' --slug another-zone
        vectors add --requirement rfc3986-3.3-segment --op parse --rule URI --profile generic --mode syntax --url http://a/b --expect '{"components": {}}' --fields '{}'
        vectors add --requirement rfc3986-6.2.2.1-case --op equivalent --url http://a/ --other http://A/ --expect '{"equal": true}' --level should --binding required --class case --flag edge --ruling G-11 --comment 'a comment' --spec rfc3986 --section 6.2.2.1 --file 6.2.2.1-case.json --title Case --slug host-twice --vectors corpus --write
        vectors add --requirement rfc3986-5.2.2-resolve --op resolve --base http://a/b --reference c --expect '{"result": "http://a/c"}' --vectors corpus
        vectors add --requirement rfc3986-5.3-recompose --op recompose --components '{"scheme": "a", "path": "b"}' --expect '{"result": "a:b"}'
        vectors add --requirement rfc3986-C-delimiters --op extract --text '<http://a/>' --expect '{"urls": [["http://a/"]]}'
        vectors add --requirement rfc3986-5.1-order --op base --embedded http://a/ --encapsulating http://b/ --retrieval http://c/ --default http://d/ --expect '{"base": "http://a/"}'
        vectors add --requirement rfc1808-3.1-header --op base --header 'Base: <URL:http://a/>' --expect '{"base": "http://a/"}'
    """,
    "pytest": """
        pytest -p no:cacheprovider -q --urlconform {tinyurl} --urlconform-section 5.4
        pytest -p no:cacheprovider -q --urlconform urllib --urlconform-spec rfc1808 --urlconform-section 5.2 --urlconform-strict
    """,
    "bad input": """
        fly
        --fly
        run --fly
        run urllib --spec rfc9
        run urllib --section 99
        run urllib -k no-such-word
        run urllib --flag nothing
        run urllib --timeout 0
        run urllib --policy nothing
        run urllib --policy nothing=error
        run urllib --report pdf=a.pdf
        run urllib --report html=nothing/a.html
        run urllib --baseline broken.json
        run urllib --baseline nothing.json
        run urllib --vectors broken.json
        run urllib --vectors nothing
        run nothing
        report broken.jsonl
        report nothing.jsonl
        baseline check broken.json
        baseline create urllib
        baseline update nothing.json urllib
        compare nothing
        compare --check urllib
        compare urllib reference --where nothing:nothing
        compare urllib reference --only nothing
        compare --results broken.jsonl
        compare --history broken.jsonl broken.jsonl
        compare urllib reference --texts nothing.txt
        ask
        ask -a nothing http://a/
        parse
        parse --spec rfc9 http://a/
        parse --rule nothing http://a/
        parse --spec rfc1738 --profile nothing http://a/
        validate --spec rfc1808 --profile generic http://a/
        validate a b
        resolve http://a/
        recompose nothing
        recompose nothing=a
        recompose - < broken.json
        base --spec rfc9
        base --embedded x --header y
        extract nothing.txt
        diff rfc3986
        diff rfc3986:nothing rfc3986
        section rfc9
        ruling nothing
        check --spec rfc3986
        check urls.txt
        check --spec rfc3986 --column nothing urls.csv
        generate
        generate --valid --rule nothing
        generate --valid --length 9:3
        generate --valid --weights broken.json
        generate --tier complete --valid
        generate --class nothing
        generate --digest
        fuzz run
        fuzz run nothing
        fuzz run urllib --known nothing
        fuzz replay nothing
        fuzz minimise nothing.txt urllib reference
        serve
        serve nothing
        vectors lint --vectors nothing
        vectors add --requirement nothing --op parse --expect '{}'
        vectors add --requirement rfc3986-3.2.2-zone --op parse --expect 'no JSON'
        vectors changelog nothing
        vectors adopt nothing.json
        vectors export corpus
        adapters doctor nothing
    """,
    "version": """
        --version
    """,
}

#: Options that no call uses, each with the reason.
NOT_CALLED: dict[tuple[str, str], str] = {}
