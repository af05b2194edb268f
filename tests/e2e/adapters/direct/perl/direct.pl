#!/usr/bin/env perl
# Print the accessors of a Perl library: `direct.pl LIBRARY`, one question and one answer a line.
# Each library is called as its documentation does it; direct.toml names the page.

use strict;
use warnings;
use JSON::PP ();

my $json = JSON::PP->new->utf8->canonical->allow_nonref;

# What the methods without arguments return, by name; a method that the class does not have is left out.
sub methods {
    my ( $object, @names ) = @_;
    return { map { $_ => scalar $object->$_ } grep { $object->can($_) } @names };
}

my %libraries = (
    'perl-uri' => {
        module => 'URI',
        parse  => sub {
            my $uri = URI->new(shift);
            return methods( $uri,
                qw(scheme opaque authority userinfo host port host_port path query fragment) );
        },
        resolve   => sub { my ( $base, $reference ) = @_; return URI->new_abs( $reference, $base )->as_string },
        normalize => sub { return URI->new(shift)->canonical->as_string },
        iris      => {
            to_uri => sub { return URI->new(shift)->as_string },
            to_iri => sub { return URI->new(shift)->as_iri },
        },
    },
    'mojo-url' => {
        module => 'Mojo::URL',
        parse  => sub {
            my $url      = Mojo::URL->new(shift);
            my $accessors = methods( $url, qw(scheme userinfo username password host ihost port fragment) );
            $accessors->{path}  = $url->path->to_string;
            $accessors->{query} = $url->query->to_string;
            return $accessors;
        },
        resolve => sub {
            my ( $base, $reference ) = @_;
            return Mojo::URL->new($reference)->to_abs( Mojo::URL->new($base) )->to_unsafe_string;
        },
    },
);

sub answer {
    my ( $library, $question ) = @_;
    my $operation = $question->{op};
    $library = $library->{iris} if exists $question->{spec} && $library->{iris};
    my $function  = $library->{$operation} or return { offered => JSON::PP::false };
    my @texts     = $operation eq 'resolve' ? @{$question}{qw(base reference)} : ( $question->{url} );
    my $shown     = eval { $function->(@texts) };
    if ($@) {
        ( my $message = $@ ) =~ s{ at \S+ line \d+.*}{}s;    # the place in this program
        return { failed => $message };
    }
    return $operation eq 'parse' ? { accessors => $shown } : { url => $shown };
}

my $library = $libraries{ $ARGV[0] } or die "unknown library $ARGV[0]\n";
( my $file = "$library->{module}.pm" ) =~ s{::}{/}g;
require $file;
while ( my $line = <STDIN> ) {
    my $printed = answer( $library, $json->decode($line) );
    print $json->encode($printed), "\n";
}
