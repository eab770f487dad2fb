"""Load a theme of sv_ttk so that its widgets are drawn in few steps.

Tk fills a widget with a picture tile by tile: it keeps the picture's border and repeats its middle,
which is 2 to 12 pixels wide, and sends each tile to the screen by itself. A button took up to a
thousand steps, and an entry hundreds for each letter. This module gives Tk pictures whose middle
has been repeated before, so the widgets look the same pixel by pixel.

sv_ttk itself loads both of its themes for each window. This module loads a theme when it is used
for the first time.
"""

from __future__ import annotations

import tkinter as tk
from pathlib import Path
from typing import Final, Literal

import sv_ttk

_FOLDER: Final = Path(sv_ttk.__file__).with_name("theme")

_TCL: Final = """
namespace eval ::doublecross {
    # The least size of a repeated middle, in pixels. Few widgets are larger.
    variable wide 160 high 32
    variable repeated
    array set repeated {}
}

# Read a file that defines a theme, and replace the pictures of the theme's elements.
proc ::doublecross::load {file} {
    rename ::ttk::style ::doublecross::style
    proc ::ttk::style args {
        if {[lrange $args 0 1] eq "element create" && [lindex $args 3] eq "image"} {
            set args [::doublecross::element {*}$args]
        }
        uplevel 1 [list ::doublecross::style {*}$args]
    }
    try {
        uplevel #0 [list source $file]
    } finally {
        rename ::ttk::style {}
        rename ::doublecross::style ::ttk::style
        image delete spritesheet
    }
}

# Return the arguments of `ttk::style` that create an element with repeated pictures.
proc ::doublecross::element {element create name image pictures args} {
    set border 0
    set sticky nsew
    foreach {option value} $args {
        switch -- $option -border {set border $value} -sticky {set sticky $value}
    }
    set first [lindex $pictures 0]
    # Without these options an element is at least as large as its first picture.
    foreach {option size} [list -width [image width $first] -height [image height $first]] {
        if {![dict exists $args $option]} {dict set args $option $size}
    }
    set across [expr {[string match *e* $sticky] && [string match *w* $sticky]}]
    set down [expr {[string match *n* $sticky] && [string match *s* $sticky]}]
    set new [list [repeat $first $border $across $down]]
    foreach {state picture} [lrange $pictures 1 end] {
        lappend new $state [repeat $picture $border $across $down]
    }
    return [list $element $create $name $image $new {*}$args]
}

# Return a picture that fills areas as `picture` does, with a larger middle.
proc ::doublecross::repeat {picture border across down} {
    variable wide
    variable high
    variable repeated
    set key [list $picture $border $across $down]
    if {![info exists repeated($key)]} {
        # One to four numbers, as in all paddings of Tk; what is not there is as opposite.
        lassign $border left top right bottom
        if {$top eq ""} {set top $left}
        if {$right eq ""} {set right $left}
        if {$bottom eq ""} {set bottom $top}
        set row [stretch $picture x $left $right [expr {$across ? $wide : 0}]]
        set repeated($key) [stretch $row y $top $bottom [expr {$down ? $high : 0}]]
        if {$row ne $picture && $row ne $repeated($key)} {image delete $row}
    }
    return $repeated($key)
}

# Return a picture whose middle along an axis repeats that of `picture`, for `least` pixels or more.
# `before` and `after` are the sizes of what stays as it is.
proc ::doublecross::stretch {picture axis before after least} {
    set width [image width $picture]
    set height [image height $picture]
    set size [expr {$axis eq "x" ? $width : $height}]
    set middle [expr {$size - $before - $after}]
    if {$middle < 1 || $middle >= $least} {return $picture}
    set longer [expr {$middle * (($least + $middle - 1) / $middle)}]
    set new [image create photo]
    foreach {from to at end} [list \
        0 $before 0 $before \
        $before [expr {$before + $middle}] $before [expr {$before + $longer}] \
        [expr {$size - $after}] $size [expr {$before + $longer}] \
        [expr {$before + $longer + $after}] \
    ] {
        if {$from == $to} continue
        if {$axis eq "x"} {
            $new copy $picture -from $from 0 $to $height -to $at 0 $end $height
        } else {
            $new copy $picture -from 0 $from $width $to -to 0 $at $width $end
        }
    }
    return $new
}
"""


def use(root: tk.Tk, name: Literal["light", "dark"]) -> None:
    """Give all widgets in `root` a theme of sv_ttk; load it if `root` has not had it yet."""
    theme = f"sun-valley-{name}"
    if theme not in root.tk.splitlist(root.tk.call("ttk::style", "theme", "names")):
        if not root.tk.call("namespace", "exists", "::doublecross"):
            root.tk.eval(_TCL)
        root.tk.call("::doublecross::load", str(_FOLDER / f"{name}.tcl"))
    root.tk.call("ttk::style", "theme", "use", theme)
