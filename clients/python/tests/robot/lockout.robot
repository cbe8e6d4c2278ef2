*** Settings ***
Library    touchstone_bench.robot.TouchstoneLibrary    program=%{TOUCHSTONE}

*** Variables ***
${ORIGIN}      https://example.org
${REQUEST}     {"rpId": "example.org", "challenge": "AAECAwQFBgcICQoLDA0ODw", "userVerification": "required"}
${CREATION}    {"rp": {"name": "x", "id": "example.org"}, "challenge": "AAECAwQFBgcICQoLDA0ODw", "user": {"id": "AQID", "name": "ada", "displayName": "Ada"}, "pubKeyCredParams": [{"type": "public-key", "alg": -7}], "authenticatorSelection": {"residentKey": "required"}}

*** Test Cases ***
Five Wrong Fingers Lock The Sensor
    Start Device    pixel-fingerprint    phone    clock=simulated
    Plan Acts    no-match x 5
    ${errors} =    Act Should Be Refused    lockedOut.timed    verify
    Should Contain    ${errors}    BiometricPrompt 7 ERROR_LOCKOUT
    Lockout Should Be    timed
    Advance Clock    30 s
    Plan Acts    match
    Perform Act    verify
    Lockout Should Be    none

A Cancelled Prompt Signs No User In
    Start Device    iphone-face-id    phone
    ${made} =    Create Passkey    ${CREATION}    ${ORIGIN}
    Plan Acts    no-match x 2    cancel
    Getting Passkey Should Fail    ${REQUEST}    ${ORIGIN}    NotAllowedError    cause=userCancelled
    ${request} =    Evaluate    json.loads($REQUEST)
    ${got} =    Get Passkey    ${request}    ${ORIGIN}
    Should Be Equal    ${got}[id]    ${made}[id]
    ${passkeys} =    Get Passkeys
    Length Should Be    ${passkeys}    1

The Device Of Another Test Has Ended
    Run Keyword And Expect Error    *The test has no device.*    Lockout Should Be    none
    Start Device    pixel-fingerprint    phone
    Start Device    solo-2    key
    Set Client PIN    1234
    Switch To Device    phone
    Perform Act    enrol    template=second finger
    Perform Act    fault    name=counter-stuck    times=2
    ${state} =    Get Device State
    Length Should Be    ${state}[status][enrolled]    2
    Stop Device
    Switch To Device    key
    Run Keyword And Expect Error    *phone is not a device of this suite. Name one of its devices: key.    Switch To Device    phone

Mistakes Have An Explanation
    Start Device    pixel-fingerprint    phone
    Run Keyword And Expect Error    *Argument 'verb' got value 'fly' that cannot be converted*    Perform Act    fly
    Run Keyword And Expect Error    *times is often, expected a number.    Perform Act    fault    name=counter-stuck    times=often
    Run Keyword And Expect Error    *The options are not JSON*    Create Passkey    {"rp"    ${ORIGIN}
    Run Keyword And Expect Error    *person.impossible*    Plan Acts    challenge-phrase
    Run Keyword And Expect Error    The act lock-out changed nothing: *    Run Keywords    Perform Act    lock-out    AND    Perform Act    lock-out
    Run Keyword And Expect Error    The act enrol was done, expected a refusal: deviceLocked.    Act Should Be Refused    deviceLocked    enrol    template=x
    Perform Act    lock
    Run Keyword And Expect Error    The act verify has another outcome: deviceLocked*, expected lockedOut.timed.    Act Should Be Refused    lockedOut.timed    verify
