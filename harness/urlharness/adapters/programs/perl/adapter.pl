#!/usr/bin/perl
# urlconform adapter for Perl libraries: perl adapter.pl LIBRARY RFCS
#
# RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and
# the names of the components. Every answer comes from the library: the adapter
# only translates names, and does not correct any answer.
use strict;
use warnings;
use English qw(-no_match_vars);
use JSON::PP;
use Module::Load qw(load);

# A library offers the operations for which it has a function here. There is no
# `validate`, because neither library refuses any text. `parse` returns the
# components as the library shows them, by the names of RFC 3986. Components
# that the library does not expose are left out, and undef means absent. `iris`
# has the functions for questions about RFC 3987, if they are other ones.
my %LIBRARIES = (
    'perl-uri' => {
        module     => 'URI',
        version    => 'URI',
        bytes      => 1,
        specs      => [qw(rfc2396 rfc2732 rfc3987)],
        features   => ['absent-vs-empty'],
        parse      => \&uri_parse,
        resolve    => \&uri_resolve,
        normalize  => \&uri_normalize,
        equivalent => \&uri_equivalent,
        recompose  => \&uri_recompose,

        # its objects are URIs, so there is no parser of IRIs
        iris => { to_uri => \&uri_to_uri, to_iri => \&uri_to_iri },
    },
    'mojo-url' => {
        module    => 'Mojo::URL',
        version   => 'Mojolicious',
        bytes     => 0,
        specs     => [qw(rfc3986 rfc3987)],
        features  => [],
        parse     => \&mojo_parse,
        resolve   => \&mojo_resolve,
        recompose => \&mojo_recompose,
    },
);

my %OPERATIONS = (
    parse      => \&parse,
    resolve    => \&resolve,
    normalize  => \&normalize,
    equivalent => \&equivalent,
    recompose  => \&recompose,
    to_uri     => \&to_uri,
    to_iri     => \&to_iri,
);

my ( $name, $path ) = @ARGV;
my $library = $LIBRARIES{$name} or die "no library $name\n";
load($_) foreach @{$library}{qw(module version)};
my $iris = $library->{iris} // $library;
my $rfcs = read_json($path);

# ---- module URI; its classes for some schemes lack some of the components

sub uri_parse {
    my ($text) = @_;
    my $uri    = URI->new($text);
    my %parts  = ( scheme => $uri->scheme, fragment => $uri->fragment );
    foreach my $part (qw(authority userinfo query)) {
        $parts{$part} = $uri->$part if $uri->can($part);
    }

    # without userinfo, the user of an FTP URL would be "anonymous"
    if ( defined $parts{userinfo} ) {
        foreach my $part (qw(user password)) {    # decoded by the library
            $parts{$part} = shown( $uri->$part ) if $uri->can($part);
        }
    }
    $parts{host} = uri_host($uri) if $uri->can('host');

    # unlike `port`, it shows no default port
    $parts{port} = $uri->_port if $uri->can('_port');
    my $path = $uri->path;
    $parts{path} = $path if defined $path;    # a sip URI has no path
    return \%parts;
}

# Return the host, which the library shows decoded, with the brackets of an IP
# literal. The library removes the brackets, and not the colon of an empty port.
sub uri_host {
    my ($uri) = @_;
    my $host = $uri->host;
    return shown($host) if !defined $host;
    my ($written) = $uri->authority =~ /([^@]*)\z/;
    return shown( $written =~ /^\[.*\](?::\d+)?\z/ ? "[$host]" : $host );
}

sub uri_resolve {
    my ( $base, $reference ) = @_;
    return URI->new_abs( $reference, $base )->as_string;
}

sub uri_normalize {
    my ($text) = @_;
    return URI->new($text)->canonical->as_string;
}

sub uri_equivalent {
    my ( $one, $other ) = @_;
    return URI->new($one)->eq( URI->new($other) );
}

sub uri_recompose {
    my ($given) = @_;
    my $scheme  = $given->{scheme};
    my $uri     = URI->new( defined $scheme ? "$scheme:" : q{} );
    my @present =
      grep { defined $given->{$_} } qw(authority path query fragment);
    foreach my $part (@present) {
        unsupported("$scheme has no $part") if !$uri->can($part);
        $uri->$part( $given->{$part} );
    }
    return $uri->as_string;
}

# Return the text of a URI, whose constructor escapes other characters.
sub uri_to_uri {
    my ($text) = @_;
    return URI->new($text)->as_string;
}

sub uri_to_iri {
    my ($text) = @_;
    return URI->new($text)->as_iri;
}

# Return bytes for a reply. If they are not UTF-8, return an object with their
# hex digits.
sub shown {
    my ($bytes) = @_;
    my $text = $bytes;
    return $text if !defined $text || utf8::decode($text);
    return { hex => unpack 'H*', $bytes };
}

# ---- Mojo::URL; its userinfo, host and fragment are decoded

sub mojo_parse {
    my ($text) = @_;
    my $url    = Mojo::URL->new($text);
    my $query  = $url->query->to_string;
    return {
        scheme   => $url->scheme,
        userinfo => $url->userinfo,
        user     => $url->username,
        password => $url->password,
        host     => $url->host,
        port     => $url->port,
        path     => $url->path->to_string,
        query    => length $query ? $query : undef,
        fragment => $url->fragment,
    };
}

sub mojo_resolve {
    my ( $base, $reference ) = @_;
    my $target = Mojo::URL->new($reference)->to_abs( Mojo::URL->new($base) );
    return $target->to_unsafe_string;    # `to_string` omits the userinfo
}

sub mojo_recompose {
    my ($given) = @_;
    my $url = Mojo::URL->new->scheme( $given->{scheme} );
    $url->path( $given->{path} );
    $url->query( $given->{query} ) if defined $given->{query};
    foreach my $part (qw(userinfo fragment)) {
        $url->$part( decoded( $given->{$part} ) ) if defined $given->{$part};
    }
    if ( defined $given->{authority} ) {
        $url->host_port( $given->{authority} =~ s/^[^@]*@//r );
    }
    return $url->to_unsafe_string;
}

sub decoded {
    my ($text) = @_;
    my $bytes = Mojo::Util::url_unescape($text);
    return Mojo::Util::decode( 'UTF-8', $bytes ) // $bytes;
}

# ---- answers

sub hello {
    return {
        type           => 'hello',
        protocol       => 1,
        implementation => {
            name     => $name,
            version  => $library->{version}->VERSION . q{},
            language => 'perl',
            runtime  => sprintf( 'perl %vd', $PERL_VERSION ),
            homepage => "https://metacpan.org/pod/$library->{module}",
        },
        ops      => [ grep { offers($_) } sort keys %OPERATIONS ],
        specs    => $library->{specs},
        features => $library->{features},
        modes    => [ $library->{normalize} ? qw(syntax scheme) : () ],
        window   => 64,
    };
}

# Return the functions for an RFC.
sub functions_for {
    my ($spec) = @_;
    return $spec eq 'rfc3987' ? $iris : $library;
}

# Return true if the library has a function for the operation, for any RFC.
sub offers {
    my ($operation) = @_;
    return $library->{$operation} || $iris->{$operation};
}

# Return the reply to a question, without its id.
sub answer {
    my ($question) = @_;
    my $operation  = $question->{op};
    my $reply      = eval {
        unsupported('the library has no such operation')
          if !functions_for( $question->{spec} )->{$operation};
        +{ status => 'ok', $OPERATIONS{$operation}->($question) };
    };
    return $reply if $reply;
    my $error = $EVAL_ERROR;
    return $error if ref $error eq 'HASH';

    # remove the place, because its line number depends on the earlier input
    $error =~ s/ at \S.*? line \d.*//s;
    return { status => 'error', message => "$library->{module}: $error" };
}

# Return the function of the library that answers a question.
sub function_for {
    my ($question) = @_;
    return functions_for( $question->{spec} )->{ $question->{op} };
}

# Refuse to answer about a component alone.
sub check_rule {
    my ($question) = @_;
    my $spec       = $question->{spec};
    my $rule       = $question->{rule} // $rfcs->{default}{$spec};
    unsupported('the library knows whole URLs only')
      if !$rfcs->{rules}{$spec}{$rule};
    return;
}

# Throw a reply, which `reply` catches and returns.
sub unsupported {
    my ($why) = @_;
    die { status => 'unsupported', message => $why };
}

# The components under the names of the RFC.
sub parse {
    my ($question) = @_;
    my $spec = $question->{spec};
    check_rule($question);
    my %parts = %{ function_for($question)->( text_of( $question->{url} ) ) };
    if ( exists $parts{path} ) {
        $parts{'url-path'} = $parts{path} =~ m{^/(.*)}s ? $1 : undef;
    }
    my $named = $rfcs->{components}{$spec};
    my $names = $named->{ lc( $parts{scheme} // q{} ) } // $named->{q{}};
    my @shown = grep { exists $parts{ $names->{$_} } } keys %{$names};
    return components => { map { $_ => $parts{ $names->{$_} } } @shown };
}

sub resolve {
    my ($question) = @_;
    my @texts = map { text_of($_) } @{$question}{qw(base reference)};
    return url => function_for($question)->(@texts);
}

sub normalize {
    my ($question) = @_;
    return url => function_for($question)->( text_of( $question->{url} ) );
}

sub to_uri {
    my ($question) = @_;
    check_rule($question);
    return url => function_for($question)->( text_of( $question->{url} ) );
}

sub to_iri {
    my ($question) = @_;
    check_rule($question);
    return url => function_for($question)->( text_of( $question->{url} ) );
}

sub equivalent {
    my ($question) = @_;
    my @texts = map { text_of($_) } @{$question}{qw(url other)};
    return equal => function_for($question)->(@texts)
      ? JSON::PP::true
      : JSON::PP::false;
}

# The text of components that have the names of RFC 3986.
sub recompose {
    my ($question) = @_;
    unsupported('the library has the components of RFC 3986')
      if $question->{spec} =~ /^rfc1[78]/;
    return url => function_for($question)->( $question->{components} );
}

# Return a text of a question in the form that the library expects.
sub text_of {
    my ($text) = @_;
    if ( !defined $text ) {
        die {
            status  => 'error',
            message => 'not a valid question: a text is missing'
        };
    }
    if ( !ref $text ) {
        utf8::upgrade($text);    # otherwise URI would treat U+00E9 as a byte
        return $text;
    }
    unsupported('the library takes Unicode text only') if !$library->{bytes};
    return pack 'H*', $text->{hex};
}

# ---- the loop over lines

sub read_json {
    my ($file) = @_;
    open my $handle, '<', $file or die "$file: $OS_ERROR\n";
    my $text = join q{}, readline $handle;
    close $handle or die "$file: $OS_ERROR\n";
    return decode_json($text);
}

my $json = JSON::PP->new->ascii->canonical;
STDOUT->autoflush(1);
while ( my $line = readline STDIN ) {
    next if $line !~ /\S/;
    my $message = decode_json($line);
    if ( $message->{type} eq 'hello' ) {
        print $json->encode( hello() ), "\n";
    }
    elsif ( $message->{type} eq 'run' ) {
        my $reply = answer($message);
        print $json->encode( { %{$reply}, id => $message->{id} } ), "\n";
    }
    elsif ( $message->{type} eq 'bye' ) {
        last;
    }
}
