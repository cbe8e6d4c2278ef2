*** Settings ***
Library    SeleniumLibrary    timeout=20 minutes
Library    touchstone_bench.robot.TouchstoneLibrary    program=%{TOUCHSTONE}
Test Teardown    Close All Browsers

*** Variables ***
@{ARGUMENTS}    --headless=new    --no-sandbox

*** Test Cases ***
A Page Gets The Error Of A Cancelled Prompt
    Open Browser With Device    ${URL}    iphone-face-id    arguments=${ARGUMENTS}
    Plan Acts    no-match x 2    cancel
    Click Button    Make a passkey
    Wait Until Element Contains    id:result    NotAllowedError
    Click Button    Make a passkey
    Wait Until Element Contains    id:result    made
    ${passkeys} =    Get Passkeys
    Length Should Be    ${passkeys}    1

A Failing Test Shows The Events Of Its Browser
    Open Browser With Device    ${URL}    iphone-face-id    arguments=${ARGUMENTS}
    Plan Acts    cancel
    Click Button    Make a passkey
    Wait Until Element Contains    id:result    NotAllowedError
    Element Should Contain    id:result    made
