/* A hare that walks from field to field, in C. */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hare { int at, carrots, salads, has_eaten; };

static struct hare hares[2]; /* red, blue */
static char fields[65][16];
static int fields_read, mine;

/* Copy the value of an attribute, "" if there is none. */
static const char *attribute(const char *tag, const char *name) {
    static char value[128];
    char key[32];
    value[0] = 0;
    snprintf(key, sizeof key, " %s=\"", name);
    const char *found = strstr(tag, key);
    if (found) sscanf(found + strlen(key), "%127[^\"]", value);
    return value;
}

static void choose(char *action, size_t size) {
    const struct hare *me = &hares[mine], *other = &hares[1 - mine];
    if (!strcmp(fields[me->at], "SALAD") && me->salads && !me->has_eaten) {
        snprintf(action, size, "<eatSalad order=\"0\"/>");
        return;
    }
    for (int n = 1; me->at + n < 64 && n * (n + 1) / 2 <= me->carrots; n++) {
        const char *field = fields[me->at + n];
        if (me->at + n == other->at) continue;
        if (!strcmp(field, "CARROT") || !strncmp(field, "POSITION", 8)) {
            snprintf(action, size, "<advance order=\"0\" distance=\"%d\"/>", n);
            return;
        }
    }
    if (!strcmp(fields[me->at], "CARROT")) {
        snprintf(action, size, "<exchangeCarrots order=\"0\" value=\"10\"/>");
        return;
    }
    int back = me->at - 1;
    while (back > 0 && strcmp(fields[back], "HEDGEHOG")) back--;
    int can_fall = back > 0 && back != other->at;
    snprintf(action, size, can_fall ? "<fallBack order=\"0\"/>" : "<skip order=\"0\"/>");
}

static FILE *dial(const char *host, const char *port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found, *one;
    if (getaddrinfo(host, port, &hints, &found)) return NULL;
    for (one = found; one; one = one->ai_next) {
        int line = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (line >= 0 && !connect(line, one->ai_addr, one->ai_addrlen)) return fdopen(line, "r+");
    }
    return NULL;
}

static void say(FILE *server, const char *format, const char *one, const char *two) {
    char text[512];
    int length = snprintf(text, sizeof text, format, one, two);
    if (write(fileno(server), text, length) != length) exit(1);
}

int main(int count, char **words) {
    const char *host = "localhost", *port = "13050", *code = NULL;
    for (int i = 1; i + 1 < count; i += 2) {
        const char *word = words[i];
        if (!strcmp(word, "-h") || !strcmp(word, "--host")) host = words[i + 1];
        if (!strcmp(word, "-p") || !strcmp(word, "--port")) port = words[i + 1];
        if (!strcmp(word, "-r") || !strcmp(word, "--reservation")) code = words[i + 1];
    }
    FILE *server = dial(host, port);
    if (!server) return 1;
    if (code) say(server, "<protocol><joinPrepared reservationCode=\"%s\"/>", code, "");
    else say(server, "<protocol><join gameType=\"%s\"/>", "swc_2018_hase_und_igel", "");
    char *tag = NULL, room[128] = "", action[128];
    size_t size = 0;
    int who = 0;
    while (getdelim(&tag, &size, '>', server) > 0) {
        const char *inside = strchr(tag, '<');
        if (!inside) continue;
        if (!strncmp(inside, "<room ", 6)) strcpy(room, attribute(inside, "roomId"));
        else if (strstr(inside, "\"welcomeMessage\"")) mine = attribute(inside, "color")[0] == 'b';
        else if (!strncmp(inside, "<state ", 7)) fields_read = 0;
        else if (!strncmp(inside, "<red ", 5) || !strncmp(inside, "<blue ", 6)) {
            who = inside[1] == 'b';
            hares[who].at = atoi(attribute(inside, "index"));
            hares[who].carrots = atoi(attribute(inside, "carrots"));
            hares[who].salads = atoi(attribute(inside, "salads"));
            hares[who].has_eaten = 0;
        } else if (!strncmp(inside, "<lastNonSkipAction ", 19))
            hares[who].has_eaten = !strcmp(attribute(inside, "class"), "eatSalad");
        else if (!strncmp(inside, "<fields ", 8) && fields_read < 65)
            snprintf(fields[fields_read++], sizeof fields[0], "%.15s", attribute(inside, "type"));
        else if (strstr(inside, "MoveRequest\"")) {
            choose(action, sizeof action);
            say(server, "<room roomId=\"%s\"><data class=\"move\">%s</data></room>", room, action);
        } else if (!strncmp(inside, "<left ", 6)) break;
    }
    say(server, "</protocol>%s%s", "", "");
    return 0;
}
