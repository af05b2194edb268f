/* The C engine: runs the packed tables of `automata/packed.py` over one text at a time.
 *
 * It reads UTF-8.  A character beyond ASCII is decoded where its first byte would lead to the sink, and belongs to
 * one of the ranges of the table.  Positions are those of bytes until they are shown.
 *
 * Of the RFCs it has only the steps that resolve a reference, which cite their sections.  An invalid text is None
 * or False; Python makes the exception.  What the engine cannot answer it asks `pure`, an object in Python with
 * the same methods: subclasses of str, very long texts, resolutions with several admissible results.
 *
 * Calls into Python can run code that calls the engine again, also from other threads, and that drops what the
 * engine has borrowed: not only method calls but dictionary lookups (`__hash__`, `__eq__` of the keys), `%R`
 * (`__repr__`), attribute lookups, allocations that the collector of cycles follows (finalizers), and every
 * Py_DECREF of what may not be a str.  So what is read from an object that Python can change is read after such a
 * call, and owned before the next one; the arguments of a function are owned by its caller. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Most characters of a text (positions have 32 bits) and of one that may not be ASCII (CPython keeps a UTF-8 copy
 * in it), most bytes of a resolved reference without an allocation and of a scheme that is known, most schemes. */
enum { LONGEST = INT32_MAX, COPIED = 4096, ON_STACK = 2048, NAME = sizeof(uint64_t), CHOICES = 16 };
enum { SINK, BYTES = 256, CLASSES = 32, COMPONENTS = 8, FINAL = 1 + 2 * COMPONENTS, SLOTS = 20, DISCARD = 0, END };
enum { MAGIC, STATES, START, SPLIT_STATES, SPLIT_START, WIDTH, USED_SLOTS, SIZE, HEADER };
enum { LAYOUT = 0x55524C32, LAYOUT_WITH_RANGES, RANGES = 64, ASCII = 128 };

/* Next state << 8 | slot, and a bit for each class that changes nothing in the next state. */
typedef struct {
    uint32_t next, loops;
} Cell, State[CLASSES];

/* Characters beyond ASCII, and their class in the automaton << 8 | that in the split table. */
typedef struct {
    uint32_t first, last, classes;
} Range;

typedef struct {
    const uint8_t *classes;
    const State *states;
    const Range *ranges;         /* in order */
    uint32_t range_count, shift; /* of the class in a range */
    Cell start;                  /* into the state in which a run begins */
    uint32_t skipped, first;     /* the characters before it, and the slot that the first of them writes */
} Automaton;
typedef struct {
    Automaton whole, split;
    const uint8_t *accepting, *finals, *offsets;
    uint32_t width;
    struct Reader *reader; /* which has it */
} Table;

/* A text, followed by a zero byte, or a part of one; `bytes` is NULL if the part is absent. */
typedef struct {
    const uint8_t *bytes;
    Py_ssize_t length;
} Text;

/* The places of a component; an absent one begins before the text, or ends before it begins. */
typedef struct {
    int32_t begin, end;
} Span;
static const Span ABSENT = {-1, -1};
static bool is_absent(Span span) { return span.begin < 0 || span.begin > span.end; }

/* Return a cell that leads into a state. */
static Cell into(const State *states, uint32_t state) {
    Cell cell = {state << 8 | DISCARD, 0};
    for (int kind = 0; kind < CLASSES && state != SINK; kind++)
        cell.loops |= (uint32_t)(states[state][kind].next == cell.next) << kind;
    return cell;
}

/* Check that all is in range, that class 0 and the sink lead to the sink, and so that no text runs over its zero. */
static bool is_sound(Automaton *automaton, uint32_t count, uint32_t start, uint32_t slots) {
    const uint8_t *classes = automaton->classes;
    for (int byte = 0; byte < BYTES; byte++)
        if (classes[byte] >= CLASSES || (classes[byte] != 0 && (byte == 0 || byte >= ASCII))) return false;
    for (uint32_t index = 0, before = ASCII - 1; index < automaton->range_count; index++) {
        Range range = automaton->ranges[index];
        uint32_t kind = range.classes >> automaton->shift & 0xFF;
        if (range.first <= before || range.last < range.first || kind >= CLASSES || range.classes >> 16) return false;
        before = range.last;
    }
    for (uint32_t state = 0; state < count; state++)
        for (int kind = 0; kind < CLASSES; kind++) {
            Cell cell = automaton->states[state][kind];
            bool to_sink = state == SINK || kind == 0;
            if (cell.next >> 8 >= count || (cell.next & 0xFF) >= slots || (to_sink && cell.next >> 8 != SINK) ||
                cell.loops != into(automaton->states, cell.next >> 8).loops)
                return false;
        }
    if (start < count) automaton->start = into(automaton->states, start);
    return start < count;
}

/* Point into a packed table.  Return false if reading it could leave its bounds. */
static bool load_table(Table *table, const char *packed, Py_ssize_t size) {
    uint32_t header[HEADER];
    if (size < (Py_ssize_t)sizeof header || (uintptr_t)packed % sizeof(uint32_t) != 0) return false;
    memcpy(header, packed, sizeof header);
    uint64_t states = header[STATES], splits = header[SPLIT_STATES];
    uint32_t ranges[1] = {0}; /* their number */
    bool has_ranges = header[MAGIC] == LAYOUT_WITH_RANGES;
    if (has_ranges && size < (Py_ssize_t)(sizeof header + sizeof ranges)) return false;
    if (has_ranges) memcpy(ranges, packed + sizeof header, sizeof ranges);
    if (*ranges > RANGES) return false;
    const Range *first = (const Range *)(packed + sizeof header + sizeof ranges);
    uint64_t head = sizeof header + (has_ranges ? sizeof ranges + *ranges * sizeof(Range) : 0);
    uint64_t due = head + 2 * BYTES + (states + splits) * sizeof(State) + states + splits * FINAL + COMPONENTS;
    if ((header[MAGIC] != LAYOUT && !has_ranges) || header[SIZE] != (uint64_t)size || due != (uint64_t)size)
        return false;
    if (header[WIDTH] > COMPONENTS || header[USED_SLOTS] > SLOTS || !header[WIDTH] != !splits ||
        (splits && header[USED_SLOTS] <= END))
        return false;
    const uint8_t *classes = (const uint8_t *)packed + head;
    table->whole = (Automaton){.classes = classes, .states = (const State *)(classes + 2 * BYTES), .shift = 8};
    table->split = (Automaton){.classes = classes + BYTES, .states = table->whole.states + states};
    table->whole.ranges = table->split.ranges = first;
    table->whole.range_count = table->split.range_count = *ranges;
    table->accepting = (const uint8_t *)(table->split.states + splits);
    table->finals = table->accepting + states;
    table->offsets = table->finals + splits * FINAL;
    table->width = header[WIDTH];
    for (uint64_t place = 0; place < splits * FINAL; place++)
        if (table->finals[place] >= (place % FINAL ? header[USED_SLOTS] : 2)) return false;
    return is_sound(&table->whole, header[STATES], header[START], DISCARD + 1) &&
           (!splits || is_sound(&table->split, header[SPLIT_STATES], header[SPLIT_START], header[USED_SLOTS]));
}

/* Let runs begin after a scheme, of which only the first and the last character write slots. */
static void skip(Automaton *automaton, const char *scheme) {
    for (; *scheme; scheme++) {
        automaton->start = automaton->states[automaton->start.next >> 8][automaton->classes[(uint8_t)*scheme]];
        if (automaton->skipped++ == 0) automaton->first = automaton->start.next & 0xFF;
    }
}

/* Return the class of the character beyond ASCII that begins at `bytes`, and the number of its bytes. */
static uint8_t class_beyond(const Automaton *automaton, const uint8_t *bytes, int *length) {
    *length = *bytes < 0xE0 ? 2 : *bytes < 0xF0 ? 3 : 4;
    uint32_t code = *bytes & (0xFF >> (*length + 1));
    for (int index = 1; index < *length; index++) code = code << 6 | (bytes[index] & 0x3F);
    for (uint32_t index = 0; index < automaton->range_count && automaton->ranges[index].first <= code; index++)
        if (code <= automaton->ranges[index].last) return automaton->ranges[index].classes >> automaton->shift & 0xFF;
    return 0;
}

/* Return how many bytes of ASCII lead to states other than the sink, and the last of these states. */
static inline Py_ssize_t run(const Automaton *automaton, Text text, int32_t *slots, uint32_t *state) {
    const uint8_t *next = text.bytes + automaton->skipped;
    slots[automaton->first] = 0;
    const State *row = automaton->states; /* of the last state */
    for (Cell cell = automaton->start; cell.next >> 8 != SINK;) {
        slots[cell.next & 0xFF] = (int32_t)(next - text.bytes) - 1; /* of the character that led here */
        row = automaton->states + (cell.next >> 8);
        while (cell.loops >> automaton->classes[*next] & 1) next++;
        cell = (*row)[automaton->classes[*next++]];
    }
    *state = (uint32_t)(row - automaton->states);
    return next == text.bytes ? 0 : next - 1 - text.bytes;
}

/* Go on after a run of `length` bytes, if a character beyond ASCII has ended it.  Return how many bytes lead to states
 * other than the sink.  Valid texts of ASCII never come here, so that they pay nothing for the others. */
static Py_ssize_t run_on(const Automaton *automaton, Text text, Py_ssize_t length, int32_t *slots, uint32_t *state) {
    const uint8_t *next = text.bytes + length;
    while (*next >= ASCII) {
        int bytes;
        Cell cell = automaton->states[*state][class_beyond(automaton, next, &bytes)];
        if (cell.next >> 8 == SINK) break;
        slots[cell.next & 0xFF] = (int32_t)(next - text.bytes); /* of its first byte */
        *state = cell.next >> 8;
        for (next += bytes; *next < ASCII; next++) {
            cell = automaton->states[*state][automaton->classes[*next]];
            if (cell.next >> 8 == SINK) break;
            slots[cell.next & 0xFF] = (int32_t)(next - text.bytes);
            *state = cell.next >> 8;
        }
    }
    return next - text.bytes;
}

/* Find the components.  Return false if the text is invalid. */
static bool split(const Table *table, Text text, Span spans[COMPONENTS]) {
    int32_t slots[SLOTS];
    memset(slots, -1, sizeof slots);
    uint32_t state = SINK;
    Py_ssize_t length = run(&table->split, text, slots, &state);
    if (length != text.length) {
        uint32_t last = state; /* a copy, so that the loop above can keep the state in a register */
        length = run_on(&table->split, text, length, slots, &last);
        state = last;
    }
    const uint8_t *final = table->finals + (size_t)state * FINAL;
    if (length != text.length || !*final++) return false;
    slots[END] = (int32_t)text.length;
    memset(spans, -1, sizeof(Span[COMPONENTS])); /* absent */
    for (uint32_t index = 0; index < table->width; index++, final += 2)
        spans[index] = (Span){(int32_t)((uint32_t)slots[final[0]] + table->offsets[index]), slots[final[1]]};
    return true;
}

/* Return whether a byte begins a character. */
static bool begins_character(uint8_t byte) { return (byte & 0xC0) != 0x80; }

/* Return the number of characters of a text. */
static Py_ssize_t count_characters(Text text) {
    Py_ssize_t count = 0;
    for (Py_ssize_t place = 0; place < text.length; place++) count += begins_character(text.bytes[place]);
    return count;
}

/* Turn places of bytes into those of characters, if the characters of a text have several bytes. */
static void count_places(uint32_t width, PyObject *object, Text text, Span spans[COMPONENTS]) {
    if (text.length == PyUnicode_GetLength(object)) return;
    int32_t place = 0, count = 0;
    for (uint32_t index = 0; index < width; index++) {
        int32_t *ends[] = {&spans[index].begin, &spans[index].end};
        for (int end = 0; end < 2 && !is_absent(spans[index]); end++) {
            for (; place < *ends[end]; place++) count += begins_character(text.bytes[place]);
            for (; place > *ends[end]; place--) count -= begins_character(text.bytes[place - 1]);
            *ends[end] = count;
        }
    }
}

/* Views: a text with the places of its components, each of which is made when it is asked for. */
typedef struct {
    PyObject_HEAD
    PyObject *text;
    Span spans[COMPONENTS];
} View;
static PyObject *View_component(PyObject *self, void *closure) {
    Span span = ((View *)self)->spans[(intptr_t)closure];
    return is_absent(span) ? Py_NewRef(Py_None) : PyUnicode_Substring(((View *)self)->text, span.begin, span.end);
}
static void View_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(((View *)self)->text);
    PyObject_Free(self);
    Py_DECREF(type);
}
#define COMPONENT(number) {"component_" #number, View_component, NULL, NULL, (void *)(intptr_t)(number)}
static PyGetSetDef View_components[] = {
    COMPONENT(0), COMPONENT(1), COMPONENT(2), COMPONENT(3), COMPONENT(4), COMPONENT(5), COMPONENT(6), COMPONENT(7), {0},
};
static PyType_Slot View_slots[] = {{Py_tp_dealloc, (void *)View_dealloc}, {Py_tp_getset, View_components}, {0, NULL}};

enum { SCHEME, AUTHORITY, PATH, PARAMS, QUERY, FRAGMENT, PARTS };
enum { KIND, VIEW, RESOLUTION, PURE, PACKED, OBJECTS };

typedef struct {
    char *bytes, *end, *path, *end_of_path;
    PyObject *const *texts, *verbatim; /* borrowed: base and reference, and the one of them that is the target */
    Text parts[PARTS], before;         /* at first those of the reference; what is put before the path */
    char *(*remove_dots)(char *path, char *end); /* or NULL */
    bool same_document, unchanged;               /* if the path has to be that of the base */
    bool excess, literal;                        /* if `..` may begin the path; if `before` stands for an empty path */
} Target;

/* A scheme of at most eight letters, and its reader or itself. */
typedef struct {
    PyObject *object;
    Py_ssize_t length;
    uint64_t name, mask; /* the mask has ones where the name has letters */
} Scheme;
typedef struct Reader {
    PyObject_HEAD
    Table table, after;                 /* for any text; for one whose scheme is known, which is skipped */
    PyObject *objects[OBJECTS];         /* three classes or NULL, the object to ask, what the table points into */
    Scheme schemes[CHOICES + NAME + 1]; /* for `choose` the first of them, for `component` the others, by length */
    bool (*resolve)(Target *target, const Text *base);
    uint8_t order[PARTS]; /* the component that is the scheme, the authority, ... */
} Reader;

/* Get the text as bytes.  Return 1, 0 if Python must answer, or -1 with an exception. */
static int get_text(PyObject *object, Text *text) {
    if (!PyUnicode_CheckExact(object)) return 0;
    if (PyUnicode_GetLength(object) > COPIED) {
        PyObject *ascii = PyObject_CallMethod(object, "isascii", NULL);
        Py_XDECREF(ascii); /* True and False are never freed */
        if (ascii != Py_True) return ascii == NULL ? -1 : 0;
    }
    text->bytes = (const uint8_t *)PyUnicode_AsUTF8AndSize(object, &text->length);
    if (text->bytes != NULL) return text->length <= LONGEST;
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return -1;
    PyErr_Clear();
    return 0;
}

/* Return the first bytes of a text as a number, with zeros after the last. */
static uint64_t beginning(Text text) {
    uint64_t name = 0;
    if (text.length >= NAME)
        memcpy(&name, text.bytes, NAME);
    else
        memcpy(&name, text.bytes, (size_t)text.length);
    return name;
}

/* Return the table for the scheme of a text; its name has small letters only, which bit 0x20 tells from others. */
static const Table *choose(const Reader *self, Text text) {
    if (self->schemes->object == NULL) return &self->table;
    uint64_t name = beginning(text) | 0x2020202020202020;
    for (const Scheme *choice = self->schemes; choice->object != NULL; choice++)
        if (((name ^ choice->name) & choice->mask) == 0 && text.bytes[choice->length] == ':')
            return &((Reader *)choice->object)->after;
    return &self->table;
}

/* Get a text and choose its table.  Return NULL and the answer if Python must give it, or an error. */
static const Table *find(PyObject *self, PyObject *object, int class, const char *name, Text *text, PyObject **answer) {
    int known = get_text(object, text);
    const Table *table = known > 0 ? choose((Reader *)self, *text) : NULL;
    if (table != NULL && table->reader->objects[class] != NULL) return table;
    *answer = known < 0 ? NULL : PyObject_CallMethod(((Reader *)self)->objects[PURE], name, "(O)", object);
    return NULL;
}

/* Return the answer of `judge` about a text after a run of ASCII characters, which has led to a state. */
static PyObject *judge_rest(const Table *table, Text text, Py_ssize_t begin, uint32_t state, bool verdict) {
    int32_t slots[DISCARD + 1];
    Py_ssize_t length = run_on(&table->whole, text, begin, slots, &state);
    if (!verdict) return PyLong_FromSsize_t(count_characters((Text){text.bytes, length}));
    return Py_NewRef(length == text.length && table->accepting[state] ? Py_True : Py_False);
}

/* Return whether the rule derives a text, or the length of the longest prefix with which a member begins. */
static PyObject *judge(PyObject *self, PyObject *object, bool verdict) {
    Text text;
    PyObject *answer;
    int32_t slots[DISCARD + 1];
    uint32_t state = SINK;
    const Table *table = find(self, object, PURE, verdict ? "accepts" : "offset", &text, &answer);
    if (table == NULL) return answer;
    Py_ssize_t length = run(&table->whole, text, slots, &state);
    if (!verdict || length != text.length) return judge_rest(table, text, length, state, verdict);
    return Py_NewRef(table->accepting[state] ? Py_True : Py_False);
}
static PyObject *Reader_accepts(PyObject *self, PyObject *object) { return judge(self, object, true); }
static PyObject *Reader_offset(PyObject *self, PyObject *object) { return judge(self, object, false); }

/* Return a tuple of the first items as an instance of a class that has the layout of tuples. */
static PyObject *make(const Reader *reader, int class, uint32_t count, PyObject *const *item) {
    PyObject *made = PyTuple_Pack(count, item[0], item[1], item[2], item[3], item[4], item[5], item[6], item[7]);
    if (made != NULL) Py_SET_TYPE(made, (PyTypeObject *)Py_NewRef(reader->objects[class]));
    return made;
}

/* Return a component; the first is mostly a scheme that was seen before. */
static PyObject *component(Reader *self, uint32_t index, PyObject *object, Text text, Span span) {
    int32_t length = span.end - span.begin;
    if (index > 0 || length > NAME) return PyUnicode_Substring(object, span.begin, span.end);
    uint64_t name = beginning((Text){text.bytes + span.begin, text.length - span.begin});
    Scheme *recent = &self->schemes[CHOICES + length];
    if (recent->object != NULL && ((name ^ recent->name) & recent->mask) == 0) return Py_NewRef(recent->object);
    PyObject *made = PyUnicode_Substring(object, span.begin, span.end);
    if (made == NULL) return NULL;
    PyObject *before = recent->object;
    *recent = (Scheme){Py_NewRef(made), length, name, 0};
    memset(&recent->mask, 0xFF, (size_t)length);
    Py_XDECREF(before); /* last, when the scheme is whole again */
    return made;
}

static PyObject *Reader_read(PyObject *self, PyObject *object) {
    Text text;
    Span spans[COMPONENTS], last = ABSENT;
    PyObject *answer, *items[COMPONENTS] = {NULL}, *owned[COMPONENTS];
    uint32_t index = 0, count = 0;
    const Table *table = find(self, object, KIND, "read", &text, &answer);
    if (table == NULL) return answer;
    if (!split(table, text, spans)) return Py_NewRef(Py_None);
    if (table->split.range_count > 0) count_places(table->width, object, text, spans);
    for (; index < table->width; index++) {
        Span span = spans[index];
        items[index] = Py_None;
        if (is_absent(span)) continue;
        if (span.begin != last.begin || span.end != last.end) { /* or it is a host that is the whole authority */
            owned[count] = component(table->reader, index, object, text, span);
            if (owned[count++] == NULL) break;
            last = span;
        }
        items[index] = owned[count - 1];
    }
    answer = index < table->width ? NULL : make(table->reader, KIND, index, items);
    while (count > 0) Py_XDECREF(owned[--count]);
    return answer;
}
static PyObject *Reader_view(PyObject *self, PyObject *object) {
    Text text;
    PyObject *answer;
    const Table *table = find(self, object, VIEW, "view", &text, &answer);
    if (table == NULL) return answer;
    View *view = PyObject_New(View, (PyTypeObject *)table->reader->objects[VIEW]);
    if (view == NULL) return NULL;
    view->text = Py_NewRef(object);
    if (!split(table, text, view->spans)) {
        Py_DECREF(view);
        return Py_NewRef(Py_None);
    }
    if (table->split.range_count > 0) count_places(table->width, object, text, view->spans);
    return (PyObject *)view;
}

/* Check that a part of a path begins with a segment, up to its slash or the end. */
static bool begins(const char *path, const char *end, const char *segment) {
    Py_ssize_t size = (Py_ssize_t)strlen(segment);
    return end - path >= size && !memcmp(path, segment, (size_t)size) && (end - path == size || path[size] == '/');
}

/* RFC 3986, section 5.2.4; the output buffer begins at `path` and never reaches the input buffer. */
static char *remove_dot_segments(char *path, char *end) {
    char *in = path, *out = path;
    while (in < end) {
        bool dots = begins(in, end, "/..");
        if (begins(in, end, ".") || begins(in, end, "..")) { /* 2A, 2D */
            while (in < end && *in++ != '/') continue;
        } else if (dots || begins(in, end, "/.")) { /* 2B, 2C */
            in += dots ? 3 : 2;
            if (in == end) *--in = '/';
            while (dots && out > path) dots = *--out != '/';
        } else /* 2E */
            for (*out++ = *in++; in < end && *in != '/';) *out++ = *in++;
    }
    return out;
}

/* RFC 1808, section 4, step 6, a to d, and RFC 2396, section 5.2, step 6, c to f. */
static char *remove_dots(char *path, char *end) {
    char *first = path + (path < end && *path == '/');
    char *in = first, *out = first; /* before `out` are kept segments, each with its slash */
    for (;;) {
        char *slash = memchr(in, '/', (size_t)(end - in)), *stop = slash == NULL ? end : slash;
        bool after_dots = out - first >= 3 && memcmp(out - 3, "../", 3) == 0 && (out - first == 3 || out[-4] == '/');
        if (begins(in, stop, "..") && out > first && !after_dots) {
            for (out--; out > first && out[-1] != '/';) out--;
        } else if (!begins(in, stop, ".")) {
            size_t length = (size_t)(stop - in) + (slash != NULL);
            memmove(out, in, length);
            out += length;
        }
        if (slash == NULL) return out;
        in = slash + 1;
    }
}

static void put(Target *target, const char *delimiter, Text part) {
    if (part.bytes == NULL) return;
    while (*delimiter) *target->end++ = *delimiter++;
    memcpy(target->end, part.bytes, (size_t)part.length);
    target->end += part.length;
}

/* Write the target.  Return false if Python must answer. */
static bool compose(Target *target) {
    const Text *parts = target->parts;
    put(target, "", parts[SCHEME]);
    *target->end++ = ':';
    put(target, "//", parts[AUTHORITY]);
    target->path = target->end;
    put(target, "", target->before);
    put(target, "", parts[PATH]);
    target->end_of_path = target->remove_dots == NULL ? target->end : target->remove_dots(target->path, target->end);
    if (target->unchanged && target->end_of_path != target->end) return false;
    target->end = target->end_of_path;
    if (parts[AUTHORITY].bytes == NULL && target->end - target->path > 1 && !memcmp(target->path, "//", 2))
        return false;
    put(target, ";", parts[PARAMS]);
    put(target, "?", parts[QUERY]);
    put(target, "#", parts[FRAGMENT]);
    return true;
}

static bool is_rooted(Text path) { return path.length > 0 && path.bytes[0] == '/'; }
static bool same_scheme(Text one, Text other) {
    return one.length == other.length && !PyOS_mystrnicmp((char *)one.bytes, (char *)other.bytes, one.length);
}

/* Put the path of the base, up to its last slash, before that of the target; or a slash if it is empty. */
static void merge(Target *target, const Text base[PARTS]) {
    Text path = base[PATH];
    if (target->remove_dots == NULL) target->remove_dots = remove_dots;
    while (path.length > 0 && path.bytes[path.length - 1] != '/') path.length--;
    target->literal = base[AUTHORITY].bytes != NULL && base[PATH].length == 0;
    target->before = target->literal ? (Text){(const uint8_t *)"/", 1} : path;
}

/* RFC 3986, sections 5.2.2 and 5.2.3.  Like the other two, return false if Python must answer. */
static bool resolve_rfc3986(Target *target, const Text base[PARTS]) {
    Text *parts = target->parts;
    target->remove_dots = remove_dot_segments;
    if (parts[SCHEME].bytes != NULL) return !same_scheme(parts[SCHEME], base[SCHEME]);
    parts[SCHEME] = base[SCHEME];
    if (parts[AUTHORITY].bytes != NULL) return true;
    parts[AUTHORITY] = base[AUTHORITY];
    target->unchanged = parts[PATH].length == 0;
    if (target->unchanged) {
        parts[PATH] = base[PATH];
        parts[QUERY] = parts[QUERY].bytes == NULL ? base[QUERY] : parts[QUERY];
    } else if (!is_rooted(parts[PATH]))
        merge(target, base);
    target->literal = false; /* section 5.2.3 leaves no choice */
    return true;
}

/* RFC 2396, section 5.2. */
static bool resolve_rfc2396(Target *target, const Text base[PARTS]) {
    Text *parts = target->parts;
    if (parts[SCHEME].bytes != NULL) { /* step 3 */
        target->verbatim = target->texts[1];
        return !same_scheme(parts[SCHEME], base[SCHEME]);
    }
    parts[SCHEME] = base[SCHEME];
    if (parts[AUTHORITY].bytes != NULL) return true; /* step 4 */
    parts[AUTHORITY] = base[AUTHORITY];
    target->same_document = parts[PATH].length == 0 && parts[QUERY].bytes == NULL; /* step 2 */
    for (int part = PATH; target->same_document && part < FRAGMENT; part++) parts[part] = base[part];
    if (target->same_document) return true;
    if (base[AUTHORITY].bytes == NULL && !is_rooted(base[PATH])) return false; /* an opaque base */
    if (is_rooted(parts[PATH])) return true;                                   /* step 5 */
    merge(target, base);                                                       /* step 6 */
    target->excess = true;
    return true;
}

/* RFC 1808, section 4. */
static bool resolve_rfc1808(Target *target, const Text base[PARTS]) {
    Text *parts = target->parts;
    bool whole = PyUnicode_GetLength(target->texts[1]) == 0; /* step 2a */
    if (whole || parts[SCHEME].bytes != NULL) {              /* step 2b */
        target->verbatim = target->texts[whole ? 0 : 1];
        return true;
    }
    parts[SCHEME] = base[SCHEME];
    bool inherited = parts[AUTHORITY].bytes == NULL, other = parts[PARAMS].length + parts[QUERY].length > 0;
    if (inherited) parts[AUTHORITY] = base[AUTHORITY]; /* step 3 */
    if (inherited && parts[PATH].length == 0) {        /* step 5 */
        if (other && base[PATH].length == 0) merge(target, base);
        parts[PATH] = base[PATH];
        parts[QUERY] = other ? parts[QUERY] : base[QUERY];
        parts[PARAMS] = parts[PARAMS].length > 0 ? parts[PARAMS] : base[PARAMS];
    } else if (inherited && !is_rooted(parts[PATH]))
        merge(target, base); /* step 6 */
    for (int part = AUTHORITY; part < PARTS; part++)
        if (part != PATH && parts[part].bytes != NULL && parts[part].length == 0) return false;
    return true;
}

/* Find the parts of a base or reference, in order.  Return false if it is invalid. */
static bool find_parts(const Reader *self, Text text, Text parts[PARTS]) {
    Span spans[COMPONENTS + 1] = {[COMPONENTS] = ABSENT}, last = {0, 0};
    if (!split(&self->table, text, spans)) return false;
    for (int part = 0; part < PARTS; part++) {
        Span span = spans[self->order[part]];
        bool present = !is_absent(span);
        if (present && span.begin < last.end) return false; /* no table of ours does this */
        if (present) last = span;
        parts[part] = (Text){present ? text.bytes + span.begin : NULL, present ? span.end - span.begin : 0};
    }
    return true;
}

static PyObject *make_resolution(const Reader *self, Target *target) {
    PyObject *text = Py_XNewRef(target->verbatim), *none = PyTuple_New(0), *made = NULL;
    if (text == NULL) text = PyUnicode_FromStringAndSize(target->bytes, target->end - target->bytes);
    PyObject *items[COMPONENTS] = {text, none, target->same_document ? Py_True : Py_False};
    char *begin = target->path, *end = target->end_of_path;
    while (target->excess && begins(begin, end, "/..")) begin += 3;
    bool excess = begin > target->path;
    if (excess) { /* RFC 2396, section 5.2, step 6g */
        if (begin == end) *--begin = '/';
        memmove(target->path, begin, (size_t)(target->end - begin));
        target->end -= begin - target->path;
    }
    Target other = *target;
    other.bytes = other.end = target->end;
    other.before.length = 0;
    if (target->literal) compose(&other);
    if (text != NULL && (excess || target->literal))
        made = PyObject_CallMethod(self->objects[PURE], "alternatives", "Os#s#", text, excess ? target->bytes : NULL,
                                   target->end - target->bytes, target->literal ? other.bytes : NULL,
                                   other.end - other.bytes);
    else if (text != NULL && none != NULL)
        made = make(self, RESOLUTION, 3, items);
    Py_XDECREF(text);
    Py_XDECREF(none);
    return made;
}

/* Resolve a valid reference against a valid base.  Return NULL without an exception if Python must answer. */
static PyObject *resolve(const Reader *self, PyObject *const texts[2]) {
    Text base, reference, base_parts[PARTS];
    char stack[ON_STACK];
    Target target = {.bytes = stack, .texts = texts};
    if (self->resolve == NULL || get_text(texts[0], &base) <= 0 || get_text(texts[1], &reference) <= 0 ||
        !find_parts(self, reference, target.parts) || !find_parts(self, base, base_parts) ||
        base_parts[SCHEME].bytes == NULL || !self->resolve(&target, base_parts))
        return NULL;
    Py_ssize_t room = 2 * (base.length + reference.length + 7); /* two targets, with `:` `//` `/` `;` `?` and `#` */
    if (room > ON_STACK) target.bytes = PyMem_Malloc((size_t)room);
    if (target.bytes == NULL) return PyErr_NoMemory();
    target.end = target.bytes;
    PyObject *found = target.verbatim != NULL || compose(&target) ? make_resolution(self, &target) : NULL;
    if (target.bytes != stack) PyMem_Free(target.bytes);
    return found;
}
static PyObject *Reader_resolve(PyObject *self, PyObject *const *given, Py_ssize_t count) {
    if (count < 2 || count > 3) return PyErr_Format(PyExc_TypeError, "resolve takes 2 or 3 arguments, not %zd", count);
    PyObject *note = count == 3 ? given[2] : Py_None, *found = note == Py_None ? resolve((Reader *)self, given) : NULL;
    if (found != NULL || PyErr_Occurred()) return found;
    return PyObject_CallMethod(((Reader *)self)->objects[PURE], "resolve", "OOO", given[0], given[1], note);
}

/* Check that the instances of a class are tuples and nothing more.  What `type` says about a class whose metaclass
 * it is cannot be overridden in Python, unlike the attributes of an instance. */
static bool is_tuple_class(PyObject *given) {
    if (!Py_IS_TYPE(given, &PyType_Type)) return false;
    PyObject *offset = PyObject_GetAttrString(given, "__dictoffset__");
    bool has_dict = offset == NULL || PyLong_AsLong(offset) != 0;
    Py_XDECREF(offset);
    if (has_dict) {
        PyErr_Clear();
        return false;
    }
    /* `tuple.__new__` refuses classes that are not made in Python */
    PyObject *empty = PyObject_CallMethod((PyObject *)&PyTuple_Type, "__new__", "O", given);
    Py_XDECREF(empty);
    if (empty == NULL) PyErr_Clear();
    return empty != NULL;
}

/* Set a class, unless it is None: one of views, or one whose instances are tuples and nothing more. */
static int set_class(Reader *self, int class, PyObject *given) {
    if (given == Py_None) return 0;
    bool fits = PyType_Check(given) && self->table.width > 0;
    if (fits && class == VIEW)
        fits = PyType_GetSlot((PyTypeObject *)given, Py_tp_dealloc) == (void *)View_dealloc;
    else if (fits)
        fits = is_tuple_class(given);
    if (!fits) return PyErr_Format(PyExc_TypeError, "no %s class: %R", class == VIEW ? "view" : "tuple", given), -1;
    self->objects[class] = Py_NewRef(given);
    return 0;
}
static int set_choices(Reader *self, PyObject *choices) {
    PyObject *key, *value;
    Py_ssize_t place = 0, length = 0;
    for (int index = 0; choices != NULL && PyDict_Next(choices, &place, &key, &value); index++) {
        const char *name = PyUnicode_AsUTF8AndSize(key, &length);
        Reader *reader = Py_IS_TYPE(value, Py_TYPE((PyObject *)self)) ? (Reader *)value : NULL;
        if (name == NULL || --length <= 0 || length > NAME || name[length] != ':' || index == CHOICES - 1 ||
            strspn(name, "abcdefghijklmnopqrstuvwxyz") < (size_t)length || !reader || reader->after.whole.skipped) {
            /* the message asks both for their __repr__, which may remove them from the dictionary */
            Py_INCREF(key);
            Py_INCREF(value);
            PyErr_Clear(); /* of a key that is no str */
            PyErr_Format(PyExc_ValueError, "no place for %R: %R", key, value);
            Py_DECREF(key);
            Py_DECREF(value);
            return -1;
        }
        reader->after = reader->table;
        skip(&reader->after.whole, name);
        if (reader->table.width > 0) skip(&reader->after.split, name);
        self->schemes[index] = (Scheme){Py_NewRef(value), length, beginning((Text){(const uint8_t *)name, length}), 0};
        memset(&self->schemes[index].mask, 0xFF, (size_t)length);
    }
    return 0;
}

static PyObject *Reader_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"table", "pure", "kind", "view", "choices", "resolution", "steps", "order", NULL};
    PyObject *packed, *pure, *kind = Py_None, *view = Py_None, *choices = NULL, *resolution = Py_None, *order = NULL;
    const char *steps = "";
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "SO|OOO!OsS", names, &packed, &pure, &kind, &view,
                                     &PyDict_Type, &choices, &resolution, &steps, &order))
        return NULL;
    const char *places = order == NULL ? "" : PyBytes_AsString(order);
    Py_ssize_t parts = order == NULL ? 0 : PyBytes_Size(order);
    Reader *self = (Reader *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self == NULL) return NULL;
    self->objects[PACKED] = Py_NewRef(packed);
    self->objects[PURE] = Py_NewRef(pure);
    self->table.reader = self;
    if (strcmp(steps, "rfc1808") == 0) self->resolve = resolve_rfc1808;
    if (strcmp(steps, "rfc2396") == 0) self->resolve = resolve_rfc2396;
    if (strcmp(steps, "rfc3986") == 0) self->resolve = resolve_rfc3986;
    bool sound = load_table(&self->table, PyBytes_AsString(packed), PyBytes_Size(packed)) &&
                 (!*steps || (self->resolve != NULL && parts == PARTS && resolution != Py_None));
    for (int part = 0; sound && *steps && part < PARTS; part++)
        self->order[part] = (uint8_t)places[part] < self->table.width ? (uint8_t)places[part] : COMPONENTS;
    if (!sound) {
        Py_DECREF(self); /* before the exception is made: finalizers that run then could find and call the reader */
        PyErr_SetString(PyExc_ValueError, "not a packed table of this version, or not one for these steps");
        return NULL;
    }
    if (set_class(self, KIND, kind) == 0 && set_class(self, VIEW, view) == 0 &&
        set_class(self, RESOLUTION, resolution) == 0 && set_choices(self, choices) == 0)
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

/* There is no tp_clear: a cycle through `pure` is broken there. */
static int Reader_traverse(PyObject *self, visitproc visit, void *arg) {
    Reader *reader = (Reader *)self;
    Py_VISIT(Py_TYPE(self));
    for (int index = 0; index < OBJECTS; index++) Py_VISIT(reader->objects[index]);
    for (int index = 0; index < CHOICES; index++) Py_VISIT(reader->schemes[index].object);
    return 0;
}
static void Reader_dealloc(PyObject *self) {
    Reader *reader = (Reader *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    for (int index = 0; index < OBJECTS; index++) Py_XDECREF(reader->objects[index]);
    for (int index = 0; index <= CHOICES + NAME; index++) Py_XDECREF(reader->schemes[index].object);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}
typedef PyObject *(*Fast)(PyObject *self, PyObject *const *given, Py_ssize_t count);
#define TO(type, function) ((type)(void (*)(void))(function))
static PyMethodDef Reader_methods[] = {
    {"accepts", Reader_accepts, METH_O, "Return True if the rule derives the text."},
    {"offset", Reader_offset, METH_O, "Return the length of the longest prefix with which a member begins."},
    {"read", Reader_read, METH_O, "Return the components of a text, or None if it is invalid."},
    {"view", Reader_view, METH_O, "Return a view of the components of a text, or None if it is invalid."},
    {"resolve", TO(PyCFunction, Reader_resolve), METH_FASTCALL, "Resolve: resolve(base, reference, note=None)."},
    {NULL, NULL, 0, NULL}};
static PyType_Slot Reader_slots[] = {
    {Py_tp_doc, (void *)"Runs the packed table of a rule; `pure` answers what the table does not."},
    {Py_tp_new, (void *)Reader_new},
    {Py_tp_traverse, (void *)Reader_traverse},
    {Py_tp_dealloc, (void *)Reader_dealloc},
    {Py_tp_methods, Reader_methods},
    {0, NULL}};
static PyType_Spec Reader_spec = {"urloracle._native.Reader", sizeof(Reader), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, Reader_slots};

/* Return a class of views whose instances the collector of cycles does not track. */
static PyObject *new_view_class(PyObject *module, PyObject *name) {
    PyType_Spec spec = {PyUnicode_AsUTF8AndSize(name, NULL), sizeof(View), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, View_slots};
    return spec.name == NULL ? NULL : PyType_FromModuleAndSpec(module, &spec, NULL);
}

/* Functions for users.  Each has a module as self, since pickle finds it by its name only then. */
enum { GIVEN, RECENT, READER, KEPT };
typedef struct {
    PyMethodDef definition;
    PyObject *kept[KEPT];         /* what it was made of; the specification of the last call, and its reader */
    PyCFunction call;             /* what the method of this reader calls */
    PyObject *function, *methods; /* in Python; by specification, which is the last of `count` arguments */
    Py_ssize_t count, size;       /* if there are no longer `size` methods, the last one may be another */
} Function;

/* What a method of a reader calls, and the reader, or NULL; the two belong together and are never read apart. */
typedef struct {
    PyObject *reader;
    PyCFunction call;
} Method;

/* Return the method of a specification, and own its reader.  The reader is NULL if there is no method, if it does
 * not take the arguments as those of a reader do, or with an exception. */
static Method find_method(Function *self, PyObject *specification) {
    PyObject **kept = self->kept;
    Method method = {NULL, NULL};
    if (specification == kept[RECENT] && PyDict_Size(self->methods) == self->size)
        return (Method){Py_XNewRef(kept[READER]), self->call};
    if (!PyUnicode_CheckExact(specification)) return method;
    /* The lookup compares with keys of other classes, whose __eq__ may call this function again and change all of
     * `self`.  Afterwards no code in Python runs before the references are taken. */
    PyObject *found = PyDict_GetItemWithError(self->methods, specification);
    int flags = self->count == 2 ? METH_O : METH_FASTCALL;
    if (found == NULL || !PyCFunction_CheckExact(found) || PyCFunction_GetFlags(found) != flags) return method;
    method = (Method){Py_XNewRef(PyCFunction_GetSelf(found)), PyCFunction_GetFunction(found)};
    PyObject *specification_before = kept[RECENT], *reader_before = kept[READER];
    kept[RECENT] = Py_NewRef(specification);
    kept[READER] = Py_XNewRef(method.reader);
    self->call = method.call;
    self->size = PyDict_Size(self->methods);
    /* Last, since the finalizer of what a reader keeps may call this function again. */
    Py_XDECREF(specification_before);
    Py_XDECREF(reader_before);
    return method;
}

static PyObject *enter(PyObject *module, PyObject *const *given, Py_ssize_t count, PyObject *names) {
    Function *self = PyModule_GetState(module);
    bool usual = names == NULL && count == self->count;
    Method method = {NULL, NULL};
    PyObject *answer = NULL;
    if (usual) method = find_method(self, given[count - 1]);
    if (method.reader != NULL) {
        answer =
            count == 2 ? method.call(method.reader, *given) : TO(Fast, method.call)(method.reader, given, count - 1);
        Py_DECREF(method.reader);
        if (answer != NULL && answer != Py_None && !PyBool_Check(answer)) return answer;
        Py_XDECREF(answer); /* None, True and False are never freed */
    }
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) return NULL;
    PyErr_Clear(); /* Python says better what is wrong */
    if (answer == Py_True) return Py_NewRef(Py_None);
    /* The tuple comes last and is filled at once: a finalizer that found it half empty could keep it, and a tuple
     * that others have cannot be filled. */
    PyObject *named = PyDict_New();
    PyObject *values = PyTuple_New(count);
    bool ready = values != NULL && named != NULL;
    for (Py_ssize_t index = 0; ready && index < count; index++)
        ready = PyTuple_SetItem(values, index, Py_NewRef(given[index])) == 0;
    for (Py_ssize_t index = 0; ready && names != NULL && index < PyTuple_Size(names); index++)
        ready = PyDict_SetItem(named, PyTuple_GetItem(names, index), given[count + index]) == 0;
    self->size = -1; /* for Python may change the methods */
    answer = ready ? PyObject_Call(self->function, values, named) : NULL;
    Py_XDECREF(values);
    Py_XDECREF(named);
    return answer;
}
static int Function_traverse(PyObject *module, visitproc visit, void *arg) {
    for (int index = 0; index < KEPT; index++) Py_VISIT(((Function *)PyModule_GetState(module))->kept[index]);
    return 0;
}
static void Function_free(void *module) {
    for (int index = 0; index < KEPT; index++) Py_XDECREF(((Function *)PyModule_GetState(module))->kept[index]);
}
static PyModuleDef Function_module = {PyModuleDef_HEAD_INIT, .m_name = "_native.function", .m_size = sizeof(Function),
                                      .m_traverse = Function_traverse, .m_free = Function_free};
static PyObject *new_function(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *module = PyModule_Create(&Function_module), *home, *made = NULL;
    Function *self = module == NULL ? NULL : PyModule_GetState(module);
    PyMethodDef usual = {NULL, TO(PyCFunction, enter), METH_FASTCALL | METH_KEYWORDS, NULL};
    if (self != NULL && PyArg_ParseTuple(arguments, "OO!nssU", &self->function, &PyDict_Type, &self->methods,
                                         &self->count, &usual.ml_name, &usual.ml_doc, &home)) {
        if (self->count < 2) { /* a text and a specification at least */
            Py_DECREF(module);
            return PyErr_Format(PyExc_ValueError, "%zd arguments are too few", self->count);
        }
        self->kept[GIVEN] = Py_NewRef(arguments);
        self->definition = usual;
        made = PyCFunction_NewEx(&self->definition, module, home);
    }
    Py_XDECREF(module);
    return made;
}
static PyMethodDef functions[] = {
    {"new_view_class", new_view_class, METH_O, "Return a class of views with this qualified name."},
    {"new_function", new_function, METH_VARARGS, "new_function(function, methods, count, name, documentation, module)"},
    {NULL, NULL, 0, NULL}};
static int execute(PyObject *module) {
    if (PyModule_AddStringConstant(module, "source", SOURCE) < 0) return -1; /* a digest, from the compiler's options */
    return PyModule_AddObject(module, "Reader", PyType_FromModuleAndSpec(module, &Reader_spec, NULL));
}
static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_native", .m_doc = "The C engine of the oracle.",
                                 .m_methods = functions, .m_slots = slots};
PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&definition); }
