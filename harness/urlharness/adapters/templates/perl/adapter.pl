# An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
use strict;
use warnings;    # they go to stderr, which is free
use JSON::PP;
use URI;         # Debian: liburi-perl; elsewhere: cpan URI

my $HELLO = {
    type => "hello", protocol => 1, window => 64, ops => ["parse", "resolve", "normalize"],
    specs          => ["rfc3986"],           # the RFCs that it claims
    features       => ["absent-vs-empty"],   # it distinguishes http://h from http://h?
    implementation => { name => "URI", version => URI->VERSION . "", language => "perl" },
};

# Your library goes here: undef is absent, "" is present but empty; leave out what it does not have.
# One that can refuse answers { status => "reject" }; then "validate" belongs into ops, too.
sub answer {
    my ($q) = @_;
    my $known   = $q->{spec} =~ /^rfc(2396|2732|3986)$/ && ($q->{rule} // "URI-reference") eq "URI-reference";
    my @texts   = grep { defined } @$q{qw(url base reference)};
    my $offered = $q->{op} eq "resolve" || ($q->{op} =~ /^(parse|normalize)$/ && $known);
    if (!$offered || ($q->{mode} // "syntax") ne "syntax" || grep { ref } @texts) {
        return { status => "unsupported", message => "not this operation, specification, rule or bytes" };
    }
    return { status => "ok", url => URI->new_abs($q->{reference}, $q->{base})->as_string } if $q->{op} eq "resolve";
    my $u = URI->new($q->{url});
    return { status => "ok", url => $u->canonical->as_string } if $q->{op} eq "normalize";
    my %found = (scheme => $u->scheme, path => $u->path, fragment => $u->fragment);
    $found{$_} = $u->can($_) ? $u->$_ : undef for qw(authority query);
    return { status => "ok", components => \%found };
}

$| = 1;
while (my $line = <STDIN>) {
    my $message = $line =~ /\S/ ? decode_json($line) : next;
    last if $message->{type} eq "bye";
    my $reply = $message->{type} eq "hello" ? $HELLO : eval { answer($message) };
    $reply //= { status => "error", message => "$@" };    # an exception fails only this question
    print JSON::PP->new->ascii->canonical->encode({ %$reply, id => $message->{id} }), "\n";
}
