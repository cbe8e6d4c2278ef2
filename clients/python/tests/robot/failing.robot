*** Settings ***
Library    touchstone_bench.robot.TouchstoneLibrary    program=%{TOUCHSTONE}

*** Test Cases ***
Expects No Lockout
    Start Device    pixel-fingerprint    phone    clock=simulated
    Plan Acts    no-match x 5
    Perform Act    verify

Plans Acts Without Effect
    Start Device    iphone-face-id    phone
    Plan Acts    cancel

Is Not Blamed
    Start Device    iphone-face-id    phone
    Plan Acts    cancel
    Forget Plan
