#pragma once
#include <winscard.h>
#include <wintypes.h>
