#!/usr/bin/perl
# An adapter for urlconform, protocol 1: questions on stdin, answers on stdout,
# one JSON object per line. A library of IRIs adds rfc3987 to specs, and to ops
# to_uri and to_iri, whose answers have a url.
use strict;
use warnings;    # they go to stderr, which the protocol does not use
use JSON::PP;
use URI;         # Debian: liburi-perl; elsewhere: cpan URI

my $HELLO = {
    type     => 'hello',
    protocol => 1,
    window   => 64,
    ops      => [qw(parse resolve normalize)],

    # the RFCs that it claims
    specs          => ['rfc3986'],
    implementation => {
        name     => 'URI',
        version  => URI->VERSION . q{},
        language => 'perl',
    },

    # it distinguishes http://h from http://h?
    features => ['absent-vs-empty'],

    # it normalizes by RFC 3986, sections 6.2.2 (syntax) and 6.2.3 (scheme)
    modes => [qw(syntax scheme)],
};

# Your library goes here: undef is absent, "" is present but empty; leave out
# what it does not have.  One that can refuse answers { status => 'reject' };
# then "validate" belongs into ops, too.
sub answer {
    my ($q) = @_;
    my $op = $q->{op};
    if ( grep { ref } @{$q}{qw(url base reference)} ) {
        return unsupported('bytes that are no text');
    }
    if ( $op eq 'resolve' ) {
        my $target = URI->new_abs( $q->{reference}, $q->{base} );
        return { status => 'ok', url => $target->as_string };
    }
    if ( $q->{spec} !~ /^rfc(?:2396|2732|3986|3987)$/ ) {
        return unsupported('not this specification');
    }
    if ( ( $q->{rule} // 'URI-reference' ) !~ /^[UI]RI-reference$/ ) {
        return unsupported('not this rule');
    }
    my $u = URI->new( $q->{url} // q{} );
    if ( $op eq 'normalize' ) {
        return { status => 'ok', url => $u->canonical->as_string };
    }
    if ( $op ne 'parse' ) {
        return unsupported('not this operation');
    }
    my %found = (
        scheme    => $u->scheme,
        authority => $u->can('authority') ? $u->authority : undef,
        path      => $u->path,
        query     => $u->can('query') ? $u->query : undef,
        fragment  => $u->fragment,
    );
    return { status => 'ok', components => \%found };
}

sub unsupported {
    my ($why) = @_;
    return { status => 'unsupported', message => $why };
}

# Answer a question; an exception fails only this question.
sub reply {
    my ($q) = @_;
    my $found = eval { answer($q) };
    return $found // { status => 'error', message => "$@" };
}

my $json = JSON::PP->new->ascii->canonical;
STDOUT->autoflush(1);
while ( my $line = <STDIN> ) {
    next if $line !~ /\S/;
    my $message = decode_json($line);
    last if $message->{type} eq 'bye';
    my $reply = $message->{type} eq 'hello' ? $HELLO : reply($message);
    print $json->encode( { %{$reply}, id => $message->{id} } ), "\n";
}
