#pragma once
#include <fido.h>
#include <fido/bio.h>
#include <fido/config.h>
#include <fido/credman.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/es384.h>
