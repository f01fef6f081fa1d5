import ArgumentParser

@main
struct Payrelay: ParsableCommand {}
